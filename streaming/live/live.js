"use strict";
(() => {
  const root = document.documentElement;
  const line = document.getElementById("live-state");
  let shown = null;
  let reached = null;

  // How far the report on this page is: the job may be further by now.
  const word = (state) => {
    if (!reached) return state;
    const counts = reached.counts || {};
    const totals = Object.entries(counts).map(([name, count]) => `${count.toLocaleString("en")} ${name}`).join(", ");
    const end = reached.forever ? "" : ` of ${window.sendlabClock(reached.duration_us)}`;
    return `${state}: ${window.sendlabClock(reached.clock_us)}${end}, ${totals}`;
  };

  const tell = (state) => {
    line.textContent = word(state);
    line.className = state === "killed" ? "warn" : "";
  };

  const get = async (name) => {
    const answer = await fetch(name);
    if (!answer.ok) throw new Error(String(answer.status));
    return answer.json();
  };

  const ask = async () => {
    try {
      const job = await get("state.json");
      const wanted = `${job.clock_us}-${job.state}`;
      // Until the pictures are drawn there is nothing to bring up to date.
      if (wanted !== shown && root.dataset.charts) {
        const report = await get("report.json");
        if (report.version !== shown) {
          const known = shown !== null;
          shown = report.version;
          reached = report.reached;
          tell(job.state);
          if (!(await window.sendlabReport.update(report))) location.reload();
          if (known) root.dataset.updates = String(Number(root.dataset.updates || 0) + 1);
        }
      }
      tell(job.state);
    } catch (error) {
      line.textContent = line.dataset.silent;
      line.className = "warn";
    }
    setTimeout(ask, 1000);
  };
  ask();
})();
