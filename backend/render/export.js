(() => {
  "use strict";
  const root = document.documentElement;
  const main = document.getElementById("transcript");
  const tools = document.getElementById("tools");
  if (!tools) return; // the index of several pages
  const query = document.getElementById("query");
  const status = document.getElementById("status");
  const view = document.getElementById("view");
  const button = (id, action) => document.getElementById(id).addEventListener("click", action);
  tools.hidden = false;

  let isOpen = false;
  const setOpen = (open) => {
    isOpen = open;
    for (const fold of document.querySelectorAll("main details")) fold.open = open;
  };
  const switchTheme = () => {
    const dark = root.dataset.theme
      ? root.dataset.theme === "dark"
      : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
  };
  button("expand", () => setOpen(true));
  button("collapse", () => setOpen(false));
  button("theme", switchTheme);
  for (const box of tools.querySelectorAll("[data-part]")) {
    box.addEventListener("change", () => main.classList.toggle(`no-${box.dataset.part}`, !box.checked));
  }

  // Branches: of the stretches of messages only those on one path are shown.
  const pair = (text) => text.split(".").map(Number);
  const branches = (main.dataset.branches ?? "").split(" ").filter(Boolean).map(pair);
  const reachOf = (branch, depth) => {
    const reach = new Map();
    for (let at = branch, to = depth; at >= 0; [at, to] = branches[at]) reach.set(at, to);
    return reach;
  };
  const showPath = (reach) => {
    for (const stretch of main.querySelectorAll("[data-at]")) {
      const [branch, depth] = pair(stretch.dataset.at);
      stretch.hidden = reach !== undefined && !(depth <= (reach.get(branch) ?? -1));
    }
    for (const range of main.querySelectorAll(".range")) {
      range.hidden = !range.querySelector("[data-at]:not([hidden])");
    }
    main.classList.toggle("one-path", reach !== undefined);
  };
  const select = (value) => {
    view.value = value;
    if (value === "") showPath(undefined);
    else if (value === "head") showPath(reachOf(...pair(main.dataset.head)));
    else showPath(reachOf(Number(value), Number.POSITIVE_INFINITY));
  };
  const option = (value, text) => {
    const one = document.createElement("option");
    one.value = value;
    one.textContent = text;
    view.append(one);
  };
  if (branches.length > 1) {
    if (main.dataset.head) option("head", "Path to the end");
    for (const strand of document.querySelectorAll("main .strand")) {
      option(strand.id.slice(1), strand.querySelector("h2").textContent);
    }
    view.hidden = false;
    view.addEventListener("change", () => {
      select(view.value);
      document
        .querySelector(`#b${view.value || "-"} [data-at]:not([hidden])`)
        ?.scrollIntoView({ block: "start" });
    });
  }
  const uncover = (target) => {
    const strand = target.closest(".strand");
    const stretch = target.closest("[data-at]") ?? strand?.querySelector("[data-at]");
    if (!stretch?.hidden) return;
    select(strand ? strand.id.slice(1) : "");
  };

  // Sections that come into sight get their height, which moves what is below them.
  const goTo = (target, frames = 5) => {
    target.scrollIntoView({ block: "start" });
    if (frames > 0) requestAnimationFrame(() => goTo(target, frames - 1));
  };

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
  const openAround = (target) => {
    uncover(target);
    for (let fold = target.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
  };
  const show = (index) => {
    hits[current]?.classList.remove("hit");
    current = index;
    const hit = hits[current];
    if (!hit) return;
    openAround(hit);
    for (const fold of hit.querySelectorAll("details")) {
      if (fold.textContent.toLowerCase().includes(found)) fold.open = true;
    }
    hit.classList.add("hit");
    goTo(hit);
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

  // Turns and alternatives by keys.
  const top = 64;
  const turns = () =>
    [...main.querySelectorAll(".who[id]")].filter((turn) => turn.getClientRects().length > 0);
  const turn = (by) => {
    const all = turns();
    const after = all.findIndex((one) => one.getBoundingClientRect().top > top + 1);
    const next = after < 0 ? all.length : after;
    const here = next - 1;
    const isAt = all[here] && all[here].getBoundingClientRect().top >= top - 24;
    all[by > 0 ? next : isAt ? here - 1 : here]?.scrollIntoView({ block: "start" });
  };
  const alternative = (name) => {
    const pagers = [...main.querySelectorAll(".pager")].filter((one) => one.getClientRects().length > 0);
    const near = pagers.find((one) => one.getBoundingClientRect().bottom > 0);
    near?.querySelector(`[aria-label="${name} sibling"]`)?.click();
  };
  const keys = {
    "/": () => query.focus(),
    j: () => turn(1),
    k: () => turn(-1),
    "[": () => alternative("Previous"),
    "]": () => alternative("Next"),
    o: () => setOpen(!isOpen),
    t: switchTheme,
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select")) return;
    const action = keys[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });

  // What the page carries for programs.
  const archive = document.getElementById("coppice-archive");
  const json = document.getElementById("json");
  if (archive && typeof DecompressionStream === "function") {
    json.hidden = false;
    json.addEventListener("click", async () => {
      const bytes = Uint8Array.from(atob(archive.textContent.trim()), (one) => one.charCodeAt(0));
      const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
      const link = document.createElement("a");
      link.href = URL.createObjectURL(await new Response(stream).blob());
      link.download = "session.json";
      link.click();
    });
  }

  let folded = [];
  addEventListener("beforeprint", () => {
    folded = [...document.querySelectorAll("main details.alternative:not([open])")];
    for (const fold of folded) fold.open = true;
  });
  addEventListener("afterprint", () => {
    for (const fold of folded) fold.open = false;
  });

  const reveal = () => {
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    openAround(target);
    goTo(target);
  };
  addEventListener("hashchange", reveal);
  reveal();
})();
