"use strict";
// The filter: every word must be in a row, every -word must not. It stands in
// the address behind #, so that a filtered view can be passed on.
const rows = [...document.querySelectorAll("details")];
const texts = rows.map((r) => (r.className + " " + r.textContent).toLowerCase());
const box = document.getElementById("filter");
const shown = document.getElementById("shown");
function apply() {
  const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
  let n = 0;
  rows.forEach((row, i) => {
    const fits = words.every((w) =>
      w.length > 1 && w[0] === "-" ? !texts[i].includes(w.slice(1)) : texts[i].includes(w));
    row.hidden = !fits;
    if (fits) n++;
  });
  shown.textContent = n === rows.length ? `${n} rows` : `${n} of ${rows.length} rows`;
}
function fromAddress() {
  box.value = decodeURIComponent(location.hash.slice(1));
  apply();
}
box.addEventListener("input", () => {
  history.replaceState(null, "", "#" + encodeURIComponent(box.value));
  apply();
});
addEventListener("hashchange", fromAddress);
fromAddress();
