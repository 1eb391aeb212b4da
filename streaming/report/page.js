(() => {
  const { root, pictures: page, colour, drawn, drawAll, showSides, whenThemed } = sendlab;
  const hidden = new Set();
  const chosen = {};
  const reset = document.getElementById("reset");
  // On a touch screen a drag scrolls the page; it must not be caught by a chart.
  const touch = matchMedia("(pointer: coarse)").matches;
  let range = page.range;
  let busy = false;

  const millis = (value) => (typeof value === "number" ? value : Date.parse(String(value).replace(" ", "T") + "Z"));

  // The longest label that has room above the plot: the whole one, its number, or none.
  const faultLabels = (element) => {
    const margin = page.figures[element.dataset.figure].layout.margin;
    const width = element.clientWidth - margin.l - margin.r;
    const at = (time) => Math.min(Math.max(((time - range[0]) / (range[1] - range[0])) * width, 0), width);
    // A fault that comes back is named where it is first seen, and after another one.
    const seen = page.faults.filter((fault) => fault.until > range[0] && fault.from < range[1])
      .filter((fault, index, all) => !index || fault.number !== all[index - 1].number);
    const clusters = [];
    for (const fault of seen) {
      const last = clusters[clusters.length - 1];
      if (last && at(fault.from) - last.left < 34) last.faults.push(fault);
      else clusters.push({ left: at(fault.from), faults: [fault] });
    }
    const labels = [];
    const named = new Set();
    let free = -margin.l;
    clusters.forEach(({ left, faults }, index) => {
      const next = index + 1 < clusters.length ? clusters[index + 1].left : width + margin.r;
      const first = faults[0].number;
      const numbers = [...new Set(faults.map((fault) => fault.number))];
      const texts = numbers.length > 1 ? [numbers.join(", "), first + " …"]
        : named.has(first) ? [first] : [first + " " + faults[0].label, first];
      for (const text of texts) {
        const size = 7 * text.length + 4;
        const begin = Math.min(left, next - size);
        // It may move left where the picture ends, never away from its fault.
        if (begin < free || (begin < left && index + 1 < clusters.length)) continue;
        labels.push({
          text: text.replace(/&/g, "&amp;").replace(/</g, "&lt;"), showarrow: false, xref: "paper", yref: "paper",
          x: begin / width, y: 1, xanchor: "left", yanchor: "bottom", borderpad: 1,
          font: { size: 12, color: colour("soft") },
        });
        free = begin + size;
        named.add(first);
        break;
      }
    });
    return labels;
  };

  const faultShapes = () => page.faults.map((fault) => ({
    type: "rect", xref: "x", yref: "paper", x0: fault.from, x1: fault.until, y0: 0, y1: 1, layer: "above",
    fillcolor: colour("fault"), line: { color: colour("fault-edge"), width: page.faults.length > 12 ? 0 : 0.7, dash: "dot" },
  }));

  const look = (element) => {
    const layout = page.figures[element.dataset.figure].layout;
    return {
      "font.color": colour("ink"), "xaxis.gridcolor": colour("grid"), "yaxis.gridcolor": colour("grid"),
      "xaxis.linecolor": colour("line"), "xaxis.tickcolor": colour("line"), "xaxis.range": [...range],
      "hoverlabel.bgcolor": colour("card"), "hoverlabel.bordercolor": colour("line"), "hoverlabel.font.color": colour("ink"),
      shapes: [...(layout.shapes || []), ...faultShapes()],
      annotations: [...(layout.annotations || []), ...faultLabels(element)],
    };
  };

  const shownTraces = (element) => page.figures[element.dataset.figure].data.map((trace) => {
    const meta = trace.meta || {};
    const set = chosen[element.dataset.figure];
    return !(meta.set && meta.set !== set) && !hidden.has(meta.line);
  });

  const axisOf = (element) => {
    const meta = page.figures[element.dataset.figure].layout.meta;
    const axis = meta && meta.axis && meta.axis[chosen[element.dataset.figure]];
    if (!axis) return {};
    const all = hidden.size === 0;
    return axis.range && all
      ? { "yaxis.range": axis.range, "yaxis.autorange": false, "yaxis.ticksuffix": axis.ticksuffix }
      : { "yaxis.autorange": true, "yaxis.ticksuffix": axis.ticksuffix || "" };
  };

  const refresh = async (some = drawn()) => {
    busy = true;
    for (const element of some) {
      await Plotly.update(element, { visible: shownTraces(element) }, { ...look(element), ...axisOf(element) });
    }
    busy = false;
    if (reset) reset.hidden = range[0] === page.range[0] && range[1] === page.range[1];
  };

  const draw = async (element) => {
    const figure = page.figures[element.dataset.figure];
    chosen[element.dataset.figure] = (figure.layout.meta || {}).set;
    const layout = structuredClone(figure.layout);
    if (touch) { layout.dragmode = false; layout.xaxis.fixedrange = true; }
    const visible = shownTraces(element);
    const data = figure.data.map((trace, index) => ({ ...trace, visible: visible[index] }));
    await Plotly.newPlot(element, data, layout, { displayModeBar: false, responsive: true });
    element.classList.remove("waiting");
    element.on("plotly_relayout", (change) => {
      if (busy) return;
      const from = change["xaxis.range[0]"] ?? (change["xaxis.range"] || [])[0];
      const until = change["xaxis.range[1]"] ?? (change["xaxis.range"] || [])[1];
      if (from !== undefined) range = [millis(from), millis(until)];
      else if (change["xaxis.autorange"]) range = page.range;
      else return;
      refresh();
    });
    await refresh([element]);
  };

  const showKeys = (figure) => document.querySelectorAll(`[data-keys-of="${figure}"]`).forEach((keys) => {
    keys.hidden = Boolean(keys.dataset.keys) && keys.dataset.keys !== chosen[figure];
  });
  const press = (button, on) => button.setAttribute("aria-pressed", String(on));
  document.querySelectorAll("button[data-set]").forEach((button) => button.addEventListener("click", () => {
    button.parentElement.querySelectorAll("button").forEach((other) => press(other, other === button));
    chosen[button.dataset.of] = button.dataset.set;
    showKeys(button.dataset.of);
    refresh(drawn().filter((element) => element.dataset.figure === button.dataset.of));
  }));
  document.querySelectorAll("button[data-line]").forEach((button) => button.addEventListener("click", () => {
    const line = Number(button.dataset.line);
    if (!hidden.delete(line)) hidden.add(line);
    press(button, !hidden.has(line));
    refresh();
  }));
  if (reset) reset.addEventListener("click", () => { range = page.range; refresh(); });

  whenThemed(() => refresh());

  let waiting;
  addEventListener("resize", () => { clearTimeout(waiting); waiting = setTimeout(() => refresh(), 200); });
  // Paper is light and narrower than most screens.
  addEventListener("beforeprint", () => {
    root.dataset.screenTheme = root.dataset.theme || "";
    root.dataset.theme = "light";
    drawn().forEach((element) => Plotly.relayout(element, { width: 690, autosize: false }));
    refresh();
  });
  addEventListener("afterprint", () => {
    root.dataset.theme = root.dataset.screenTheme;
    drawn().forEach((element) => Plotly.relayout(element, { width: null, autosize: true }));
    refresh();
  });

  // A server that keeps the page up to date gives its parts anew; false: it must be loaded again, as it has other pictures.
  const update = async ({ parts, pictures }) => {
    const names = (figures) => Object.keys(figures).sort().join();
    if (names(pictures.figures) !== names(page.figures)) return false;
    document.querySelectorAll("[data-part]").forEach((part) => { part.innerHTML = parts[part.dataset.part]; });
    const whole = range[0] === page.range[0] && range[1] === page.range[1];
    Object.assign(page, pictures);
    if (whole) range = page.range;
    busy = true;
    for (const element of drawn()) {
      const { data, layout } = page.figures[element.dataset.figure];
      const visible = shownTraces(element);
      await Plotly.react(element, data.map((trace, index) => ({ ...trace, visible: visible[index] })), structuredClone(layout));
    }
    showSides();
    await refresh();
    return true;
  };
  window.sendlabReport = { update };

  drawAll(draw);
})();
