"use strict";
// What all pages do: the theme, plotly unpacked, a word where a picture cannot be drawn, tables that tell they go on.
const sendlab = (() => {
  const root = document.documentElement;
  const elements = [...document.querySelectorAll(".figure")];
  const followers = [];

  const trouble = (error) => {
    const place = document.getElementById("trouble");
    place.textContent = `${place.dataset.why} ${error && error.message ? error.message : error}`;
    place.hidden = false;
    root.dataset.error = place.textContent;
  };
  addEventListener("error", (event) => trouble(event.error || event.message));
  addEventListener("unhandledrejection", (event) => trouble(event.reason));

  const figures = document.getElementById("figures");
  const pictures = figures ? JSON.parse(figures.textContent) : {};
  const loadPlotly = async () => {
    const packed = atob(document.getElementById("plotly").textContent.trim());
    const bytes = Uint8Array.from(packed, (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    const script = document.createElement("script");
    script.textContent = await new Response(stream).text();
    document.head.append(script);
    script.remove();
  };
  const drawn = () => elements.filter((element) => element.classList.contains("js-plotly-plot"));
  // Pictures in what is closed are drawn when it is opened.
  const drawAll = async (draw) => {
    try {
      if (elements.length) await loadPlotly();
      let count = 0;
      for (const element of elements) {
        const details = element.closest("details");
        if (details && !details.open) {
          const late = () => element.classList.contains("waiting") && draw(element);
          details.addEventListener("toggle", late, { once: true });
        } else {
          await draw(element);
          count += 1;
        }
      }
      root.dataset.charts = String(count);
    } catch (error) {
      trouble(error);
    }
  };

  const remember = { get: () => { try { return localStorage.sendlabTheme; } catch { return undefined; } },
    set: (theme) => { try { localStorage.sendlabTheme = theme; } catch { /* a file may have no storage */ } } };
  if (remember.get()) root.dataset.theme = remember.get();
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const colour = (name) => getComputedStyle(root).getPropertyValue("--" + name).trim();
  const follow = () => followers.forEach((each) => each());
  dark.addEventListener("change", follow);
  document.getElementById("theme").addEventListener("click", () => {
    root.dataset.theme = (root.dataset.theme || (dark.matches ? "dark" : "light")) === "dark" ? "light" : "dark";
    remember.set(root.dataset.theme);
    follow();
  });

  // A table that goes on to the right says so, until it is scrolled there.
  const showSides = (some = document.querySelectorAll(".wide")) => some.forEach((table) => {
    const more = table.scrollWidth - table.clientWidth - table.scrollLeft > 2;
    table.classList.toggle("more", more);
    const hint = table.previousElementSibling;
    if (hint && hint.classList.contains("sideways")) hint.hidden = !more;
  });
  document.addEventListener("scroll", ({ target }) => target.matches?.(".wide") && showSides([target]), true);
  document.querySelectorAll("details").forEach((each) => each.addEventListener("toggle", () => showSides()));
  showSides();
  let waiting;
  addEventListener("resize", () => { clearTimeout(waiting); waiting = setTimeout(() => showSides(), 200); });

  return { root, elements, pictures, colour, drawn, drawAll, showSides, whenThemed: (each) => followers.push(each) };
})();
