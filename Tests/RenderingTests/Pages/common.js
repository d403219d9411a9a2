// What the pages share. The server's /api?page=N answers {"items": [{"id", "title", "picture", "link"}], "next": N or null}.
async function load(page, method = "GET") {
  const body = method == "POST" ? JSON.stringify({ page }) : undefined;
  return (await fetch(`/api?page=${page}&${location.search.slice(1)}`, { method, body, headers: { "Content-Type": "application/json" } })).json();
}
function card(item, attributes = "") {
  return `<a class="card" href="${item.link}"><img src="${item.picture}" alt="${item.title}" width="240" height="180" ${attributes}></a>`;
}
/// Appends one page after the other to `grid`, one at a time, while there are any.
function endless(grid, method) {
  let next = 1, isLoading = false;
  return async () => {
    if (isLoading || !next) return false;
    isLoading = true;
    const answer = await load(next, method);
    grid.insertAdjacentHTML("beforeend", answer.items.map(item => card(item)).join(""));
    next = answer.next;
    isLoading = false;
    return next !== null;
  };
}
