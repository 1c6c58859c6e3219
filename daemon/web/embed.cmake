# Writes OUT, a table of the files FILES (separated by commas) for pages.hpp. Run at build time:
#     cmake -DOUT=... -DFILES=... -P embed.cmake
string(REPLACE "," ";" FILES "${FILES}")
set(type_html "text/html; charset=utf-8")
set(type_js "text/javascript; charset=utf-8")
set(type_css "text/css; charset=utf-8")
set(type_svg "image/svg+xml")
set(type_json "application/json")
set(type_png "image/png")
set(type_woff2 "font/woff2")

set(arrays "")
set(rows "")
set(n 0)
foreach(file IN LISTS FILES)
  get_filename_component(name "${file}" NAME)
  get_filename_component(extension "${file}" LAST_EXT)
  string(SUBSTRING "${extension}" 1 -1 extension)
  if(NOT DEFINED type_${extension})
    message(FATAL_ERROR "${file}: which media type has .${extension}?")
  endif()
  file(READ "${file}" bytes HEX)
  string(LENGTH "${bytes}" digits)
  math(EXPR size "${digits} / 2")
  string(REGEX REPLACE "(..)" "'\\\\x\\1'," bytes "${bytes}")
  string(APPEND arrays "constexpr char content_${n}[] = {${bytes}'\\0'};\n")
  # Pages are asked for without their extension: /overlay; the start page is /.
  string(REGEX REPLACE "\\.html$" "" path "/${name}")
  if(path STREQUAL "/index")
    set(path "/")
  endif()
  string(APPEND rows "    {\"${path}\", \"${type_${extension}}\", {content_${n}, ${size}}},\n")
  math(EXPR n "${n} + 1")
endforeach()
file(WRITE "${OUT}" "#include \"daemon/web/pages.hpp\"

namespace xq::daemon::web {
namespace {
${arrays}constexpr Page pages[] = {
${rows}};
}  // namespace

const Page* find_page(std::string_view path) {
    for (const Page& page : pages) {
        if (page.path == path) return &page;
    }
    return nullptr;
}

}  // namespace xq::daemon::web
")
