function unfold() { const target = document.getElementById(location.hash.slice(1)); if (target && target.matches("details")) target.open = true; }
addEventListener("hashchange", unfold);
addEventListener("beforeprint", () => document.querySelectorAll("details").forEach(part => { part.open = true; }));
document.querySelectorAll(".contents a").forEach(link => link.addEventListener("click", () => setTimeout(unfold)));
unfold();
