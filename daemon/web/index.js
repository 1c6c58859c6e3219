// The start page: the live board, and the address of an overlay put together by choosing.
const form = document.getElementById("options");
const preview = document.getElementById("preview");
const address = document.getElementById("address");
const shape = document.getElementById("shape");

function show() {
  const chosen = new URLSearchParams();
  for (const [key, value] of new FormData(form)) if (value) chosen.set(key, value);
  const query = chosen.toString();
  const url = new URL(`overlay${query ? `?${query}` : ""}`, location.href).href;
  preview.classList.toggle("tall", shape.value === "9/16");
  if (url === address.value) return;
  address.value = url;
  preview.src = url;
}

form.addEventListener("change", show);
form.addEventListener("submit", (event) => event.preventDefault());
document.getElementById("copy").addEventListener("click", async () => {
  address.select();
  // Outside HTTPS there is no clipboard to write to; the text is selected all the same.
  await navigator.clipboard?.writeText(address.value);
});
show();
