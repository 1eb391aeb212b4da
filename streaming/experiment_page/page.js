"use strict";
(() => {
  const root = document.documentElement;
  const figures = JSON.parse(document.getElementById("figures").textContent);
  const elements = [...document.querySelectorAll(".figure")];

  const trouble = (error) => {
    const place = document.getElementById("trouble");
    place.textContent = "The pictures could not be drawn: " + (error && error.message ? error.message : error);
    place.hidden = false;
    root.dataset.error = place.textContent;
  };
  addEventListener("error", (event) => trouble(event.error || event.message));
  addEventListener("unhandledrejection", (event) => trouble(event.reason));

  const loadPlotly = async () => {
    const packed = atob(document.getElementById("plotly").textContent.trim());
    const bytes = Uint8Array.from(packed, (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    const script = document.createElement("script");
    script.textContent = await new Response(stream).text();
    document.head.append(script);
    script.remove();
  };

  const colour = (name) => getComputedStyle(root).getPropertyValue("--" + name).trim();
  const themed = () => ({
    "font.color": colour("ink"),
    "xaxis.gridcolor": colour("grid"), "yaxis.gridcolor": colour("grid"),
    "xaxis.linecolor": colour("line"), "yaxis.linecolor": colour("line"),
    "xaxis.zerolinecolor": colour("line"), "yaxis.zerolinecolor": colour("line"),
    "hoverlabel.bgcolor": colour("card"), "hoverlabel.font.color": colour("ink"),
  });
  const drawn = () => elements.filter((element) => element.classList.contains("js-plotly-plot"));
  const refresh = () => drawn().forEach((element) => Plotly.relayout(element, themed()));

  const draw = async (element) => {
    const { data, layout } = figures[element.dataset.figure];
    // A drag scrolls the page; pictures are looked at, not moved.
    const still = { ...structuredClone(layout), dragmode: false };
    await Plotly.newPlot(element, data, still, { displayModeBar: false, responsive: true });
    await Plotly.relayout(element, themed());
    element.classList.remove("waiting");
  };

  const remember = { get: () => { try { return localStorage.sendlabTheme; } catch { return undefined; } },
    set: (theme) => { try { localStorage.sendlabTheme = theme; } catch { /* a file may have no storage */ } } };
  if (remember.get()) root.dataset.theme = remember.get();
  const dark = matchMedia("(prefers-color-scheme: dark)");
  dark.addEventListener("change", refresh);
  document.getElementById("theme").addEventListener("click", () => {
    root.dataset.theme = (root.dataset.theme || (dark.matches ? "dark" : "light")) === "dark" ? "light" : "dark";
    remember.set(root.dataset.theme);
    refresh();
  });

  document.querySelectorAll("button[data-copy]").forEach((button) => button.addEventListener("click", async () => {
    const rows = [...document.getElementById(button.dataset.copy).querySelectorAll("tr")];
    const text = rows.map((row) => [...row.children].map((cell) => cell.textContent).join("\t")).join("\n");
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
  }));

  const start = async () => {
    if (elements.length) await loadPlotly();
    let count = 0;
    for (const element of elements) {
      const details = element.closest("details");
      if (details && !details.open) {
        details.addEventListener("toggle", () => element.classList.contains("waiting") && draw(element));
      } else {
        await draw(element);
        count += 1;
      }
    }
    root.dataset.charts = String(count);
  };
  start().catch(trouble);
})();
