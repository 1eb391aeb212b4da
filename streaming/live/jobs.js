(() => {
  const root = document.documentElement;
  const body = document.getElementById("jobs");
  const trouble = document.getElementById("trouble");
  const number = (value) => (value === undefined || value === null ? "" : value.toLocaleString("en"));
  const clock = window.sendlabClock;
  const ago = (s) => (s < 2 ? "now" : s < 120 ? `${Math.round(s)} s ago` : `${Math.round(s / 60).toLocaleString("en")} min ago`);
  const cell = (row, text, kind = "td") => {
    const made = row.appendChild(document.createElement(kind));
    made.textContent = text;
    return made;
  };

  const show = (jobs) => {
    document.getElementById("none").hidden = jobs.length > 0;
    body.replaceChildren(...jobs.map((job) => {
      const row = document.createElement("tr");
      row.dataset.job = job.id;
      const name = cell(row, "", "th");
      name.scope = "row";
      const link = name.appendChild(document.createElement("a"));
      link.href = `/jobs/${job.id}/`;
      link.textContent = job.scenario_name || job.path;
      const where = name.appendChild(document.createElement("small"));
      where.textContent = job.why || `${job.release}, seed ${job.seed}, ${job.path}`;
      cell(row, job.state).className = `text state ${job.state}`;
      const time = cell(row, job.why ? "" : job.forever ? clock(job.clock_us) : `${clock(job.clock_us)} of ${clock(job.duration_us)} `);
      if (!job.why && !job.forever) {
        const bar = time.appendChild(document.createElement("progress"));
        bar.max = job.duration_us;
        bar.value = Math.min(job.clock_us, job.duration_us);
      }
      const counts = job.counts || {};
      for (const count of ["sends", "failures", "retries"]) cell(row, number(counts[count])).dataset.count = count;
      const lags = Object.entries(job.lags || {}).map(([group, lag]) => `${group} ${number(lag)}`);
      cell(row, lags.join(", ")).dataset.count = "lag";
      cell(row, ago(Date.now() / 1000 - job.reported_s));
      return row;
    }));
  };

  const ask = async () => {
    try {
      const answer = await fetch("/jobs.json");
      if (!answer.ok) throw new Error(await answer.text());
      show(await answer.json());
      trouble.hidden = true;
      root.dataset.asked = String(Number(root.dataset.asked || 0) + 1);
    } catch (error) {
      trouble.textContent = body.dataset.silent;
      trouble.hidden = false;
    }
    setTimeout(ask, 1000);
  };
  ask();
})();
