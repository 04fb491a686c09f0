// The page of the shop. idempotent.js submits the order; this file turns the form into JSON and shows what happens.
const element = (id) => document.getElementById(id);

async function count() {
	element("count").textContent = (await (await fetch("/orders")).json()).length;
}

async function left() {
	element("left").textContent = (await (await fetch("/stock/first-flush")).json()).amount;
}

async function show(response) {
	const replayed = Idempotent.isReplay(response);
	const shown = document.createElement("pre");
	shown.className = replayed ? "again" : "";
	shown.textContent = response.status + (replayed ? " (the first response again 重放首次响应)" : "") + "\n" + await response.text();
	element("responses").append(shown);
}

function showError(error) {
	const shown = document.createElement("pre");
	shown.textContent = "No response. Try again: it is still one order. 没有响应。请重试：仍然只下一单。\n" + error.message;
	element("responses").append(shown);
}

element("order").addEventListener("submit", async (event) => {
	event.preventDefault();
	const form = event.target;
	const { userId, sku, quantity } = Object.fromEntries(new FormData(form));
	try {
		const response = await Idempotent.submit(form, {
			headers: { "Content-Type": "application/json" },
			body: JSON.stringify({ userId, sku, quantity: Number(quantity) }),
		});
		await show(response);
	}
	catch (error) {
		showError(error);
	}
	element("token").textContent = form.elements._idempotentToken?.value ?? "–";
	await count();
});

// Or the same entries would be the same order.
element("fresh").addEventListener("click", () => {
	Idempotent.reset(element("order"));
	element("token").textContent = "–";
	element("responses").replaceChildren();
});

element("seckill").addEventListener("submit", async (event) => {
	event.preventDefault();
	const wish = new URLSearchParams(new FormData(event.target));
	await show(await fetch("/seckill/first-flush?" + wish, { method: "POST" }));
	await left();
});

count();
left();
