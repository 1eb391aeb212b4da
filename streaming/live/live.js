"use strict";
(() => {
  const root = document.documentElement;
  const line = document.getElementById("live-state");
  let shown = null;

  const word = (job) => {
    const counts = job.counts || {};
    const totals = Object.entries(counts).map(([name, count]) => `${count.toLocaleString("en")} ${name}`).join(", ");
    const end = job.forever ? "" : ` of ${window.sendlabClock(job.duration_us)}`;
    return `${job.state}: ${window.sendlabClock(job.clock_us)}${end}, ${totals}`;
  };

  const get = async (name) => {
    const answer = await fetch(name);
    if (!answer.ok) throw new Error(String(answer.status));
    return answer.json();
  };

  const ask = async () => {
    try {
      const job = await get("state.json");
      line.textContent = word(job);
      line.className = job.state === "killed" ? "warn" : "";
      root.dataset.clock = String(job.clock_us);
      const wanted = `${job.clock_us}-${job.state}`;
      // Until the pictures are drawn there is nothing to bring up to date.
      if (wanted !== shown && root.dataset.charts) {
        const report = await get("report.json");
        if (report.version !== shown) {
          const known = shown !== null;
          shown = report.version;
          if (!(await window.sendlabReport.update(report))) location.reload();
          if (known) root.dataset.updates = String(Number(root.dataset.updates || 0) + 1);
        }
      }
    } catch (error) {
      line.textContent = "no answer from sendlab serve: this page is out of date";
      line.className = "warn";
    }
    setTimeout(ask, 1000);
  };
  ask();
})();
