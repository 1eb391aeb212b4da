(() => {
  const { pictures, colour, drawn, drawAll, whenThemed } = sendlab;
  const axis = (name) => ({
    [`${name}.gridcolor`]: colour("grid"), [`${name}.linecolor`]: colour("line"), [`${name}.tickcolor`]: colour("line"),
    [`${name}.zerolinecolor`]: colour("line"),
  });
  // Shapes that have no colour of their own are faults.
  const shapes = (element) => (pictures[element.dataset.figure].layout.shapes || []).map((shape) => (shape.fillcolor
    ? shape
    : { ...shape, fillcolor: colour("fault"), line: { color: colour("fault-edge"), width: 0.7, dash: "dot" } }));
  const themed = (element) => ({
    "font.color": colour("ink"), ...axis("xaxis"), ...axis("yaxis"), shapes: shapes(element),
    "hoverlabel.bgcolor": colour("card"), "hoverlabel.font.color": colour("ink"),
  });
  whenThemed(() => drawn().forEach((element) => Plotly.relayout(element, themed(element))));

  document.querySelectorAll("button[data-copy]").forEach((button) => button.addEventListener("click", async () => {
    const rows = [...document.getElementById(button.dataset.copy).querySelectorAll("tr")];
    const text = rows.map((row) => [...row.children].map((cell) => cell.textContent.replaceAll("\u00a0", " ")).join("\t")).join("\n");
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
  }));

  drawAll(async (element) => {
    const { data, layout } = pictures[element.dataset.figure];
    // A drag scrolls the page; pictures are looked at, not moved.
    const still = { ...structuredClone(layout), dragmode: false };
    await Plotly.newPlot(element, data, still, { displayModeBar: false, responsive: true });
    await Plotly.relayout(element, themed(element));
    element.classList.remove("waiting");
  });
})();
