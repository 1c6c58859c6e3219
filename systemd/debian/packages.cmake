# The Debian packages: `cpack` makes xiangqid, and xiangqi-boardsim for the machine at the board's
# end of the cable. Included at the end of systemd/CMakeLists.txt.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME xiangqid)
set(CPACK_PACKAGE_CONTACT "xiangqid maintainers <maintainers@xiangqid.example>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")  # each package has its own
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL xiangqid xiangqi-boardsim)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
if(CMAKE_CROSSCOMPILING)
  set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE arm64)
endif()

set(CPACK_DEBIAN_XIANGQID_PACKAGE_NAME xiangqid)
set(CPACK_DEBIAN_XIANGQID_PACKAGE_SECTION net)
set(CPACK_DEBIAN_XIANGQID_PACKAGE_DEPENDS "systemd, udev")
set(CPACK_DEBIAN_XIANGQID_PACKAGE_SUGGESTS "avahi-daemon")
set(CPACK_COMPONENT_XIANGQID_DESCRIPTION
  "referee and broadcaster for xiangqi tournament boards
Reads the ninety sensors of a xiangqi board over USB, works out the moves,
referees them by the rules of the Chinese Xiangqi Association, keeps both
clocks and the record, tells the arbiter what he must decide, and shows the
game to every screen that asks.")

set(CPACK_DEBIAN_XIANGQI-BOARDSIM_PACKAGE_NAME xiangqi-boardsim)
set(CPACK_DEBIAN_XIANGQI-BOARDSIM_PACKAGE_SECTION net)
set(CPACK_COMPONENT_XIANGQI-BOARDSIM_DESCRIPTION
  "makes a simulated xiangqi board of a machine with a USB device port
Turns a Raspberry Pi Zero, or any machine with a USB device controller, into a
sensor board that xiangqid referees: simulated hands play on it, or a recorded
game is told again.")

foreach(package xiangqid xiangqi-boardsim)
  string(TOUPPER ${package} PACKAGE)
  set(scripts ${here}/debian/${package})
  set(control)
  foreach(script postinst prerm postrm)
    configure_file(${scripts}.${script} ${made}/${package}/${script} COPYONLY)
    list(APPEND control ${made}/${package}/${script})
  endforeach()
  set(CPACK_DEBIAN_${PACKAGE}_PACKAGE_CONTROL_EXTRA ${control})

  set(doc ${CMAKE_INSTALL_DATADIR}/doc/${package})
  install(FILES debian/copyright DESTINATION ${doc} COMPONENT ${package})
  configure_file(debian/changelog.in ${made}/${package}/changelog @ONLY)
  xq_install_compressed(${made}/${package}/changelog ${package}/changelog.Debian ${doc} ${package})
  install(FILES debian/${package}.overrides DESTINATION ${CMAKE_INSTALL_DATADIR}/lintian/overrides
          RENAME ${package} COMPONENT ${package})
endforeach()
file(WRITE ${made}/xiangqid/conffiles
     "/etc/avahi/services/xiangqid.service\n/etc/xiangqid/xiangqid.toml\n")
list(APPEND CPACK_DEBIAN_XIANGQID_PACKAGE_CONTROL_EXTRA ${made}/xiangqid/conffiles)
include(CPack)
