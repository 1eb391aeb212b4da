"use strict";
(async () => {
  const trouble = (error) => {
    const place = document.getElementById("trouble");
    place.textContent = "The pictures could not be drawn: " + (error && error.message ? error.message : error);
    place.hidden = false;
    document.documentElement.dataset.error = place.textContent;
  };
  try {
    const figures = JSON.parse(document.getElementById("figures").textContent);
    const packed = atob(document.getElementById("plotly").textContent.trim());
    const bytes = Uint8Array.from(packed, (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    const script = document.createElement("script");
    script.textContent = await new Response(stream).text();
    document.head.append(script);
    script.remove();
    const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
    for (const element of document.querySelectorAll(".figure")) {
      const figure = figures[element.dataset.figure];
      const axis = { gridcolor: colour("grid"), linecolor: colour("line"), tickcolor: colour("line") };
      const shapes = (figure.layout.shapes || []).map((shape) => ({
        ...shape, fillcolor: colour("fault"), line: { color: colour("fault-edge"), width: 0.7, dash: "dot" },
      }));
      const layout = {
        ...figure.layout, shapes, font: { ...figure.layout.font, color: colour("ink") },
        xaxis: { ...figure.layout.xaxis, ...axis }, yaxis: { ...figure.layout.yaxis, ...axis },
      };
      await Plotly.newPlot(element, figure.data, layout, { displayModeBar: false, responsive: true });
      element.classList.remove("waiting");
    }
    document.documentElement.dataset.drawn = "true";
  } catch (error) {
    trouble(error);
  }
})();
