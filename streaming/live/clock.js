// h:mm:ss or m:ss of virtual time.
window.sendlabClock = (us) => {
  const seconds = Math.floor(us / 1e6);
  const two = (value) => String(value).padStart(2, "0");
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
};
