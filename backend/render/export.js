(() => {
  "use strict";
  const root = document.documentElement;
  const tools = document.getElementById("tools");
  const query = document.getElementById("query");
  const status = document.getElementById("status");
  const button = (id, action) => document.getElementById(id).addEventListener("click", action);
  tools.hidden = false;

  const setOpen = (open) => {
    for (const fold of document.querySelectorAll("main details")) fold.open = open;
  };
  button("expand", () => setOpen(true));
  button("collapse", () => setOpen(false));
  button("theme", () => {
    const dark = root.dataset.theme
      ? root.dataset.theme === "dark"
      : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
  });

  let hits = [];
  let current = -1;
  let found = "";
  const find = () => {
    const words = query.value.trim().toLowerCase();
    if (words === found) return;
    found = words;
    show(-1);
    hits = [];
    if (words) {
      for (const message of document.querySelectorAll("main .message")) {
        if (message.textContent.toLowerCase().includes(words)) hits.push(message);
      }
    }
    status.textContent = words ? `${hits.length} found` : "";
  };
  const show = (index) => {
    hits[current]?.classList.remove("hit");
    current = index;
    const hit = hits[current];
    if (!hit) return;
    for (let fold = hit.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
    for (const fold of hit.querySelectorAll("details")) {
      if (fold.textContent.toLowerCase().includes(found)) fold.open = true;
    }
    hit.classList.add("hit");
    hit.scrollIntoView({ block: "start" });
    status.textContent = `${current + 1} of ${hits.length}`;
  };
  const step = (by) => {
    find();
    if (hits.length) show((current + by + hits.length) % hits.length);
  };
  let waiting = 0;
  query.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(find, 300);
  });
  query.addEventListener("keydown", (event) => {
    if (event.key === "Enter") {
      event.preventDefault();
      step(event.shiftKey ? -1 : 1);
    } else if (event.key === "Escape") {
      query.value = "";
      find();
    }
  });
  button("previous", () => step(-1));
  button("next", () => step(1));
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && document.activeElement !== query) {
      event.preventDefault();
      query.focus();
    }
  });

  const reveal = () => {
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    for (let fold = target?.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
    target?.scrollIntoView({ block: "start" });
  };
  addEventListener("hashchange", reveal);
  reveal();
})();
