// Starts the page, and shows the view that the address names.

import { endpoints, get } from "./api.js";
import { detector } from "./detector.js";
import { h, show } from "./dom.js";
import { find } from "./find.js";
import { interventions } from "./interventions.js";
import { hush } from "./live.js";
import { locks } from "./locks.js";
import { overview } from "./overview.js";
import { steps } from "./steps.js";
import { chooseLanguage, language, loadTexts, t } from "./text.js";
import { unknown } from "./unknown.js";

const VIEWS = { overview, find, unknown, steps, locks, interventions, detector };

if (endpoints.idempotentsteps.path === undefined) {
	// The application has no operations with steps.
	delete VIEWS.steps;
}
if (endpoints.idempotentdetector.path === undefined) {
	// The application has no detector.
	delete VIEWS.detector;
}

let current = new AbortController();

function address() {
	const [name, query] = location.hash.replace(/^#\/?/, "").split("?");
	return { name: Object.hasOwn(VIEWS, name) ? name : "overview", asked: Object.fromEntries(new URLSearchParams(query)) };
}

function navigation(name) {
	const nav = document.getElementById("nav");
	nav.setAttribute("aria-label", t("nav"));
	show(nav, Object.keys(VIEWS).map((view) => h("a", { href: "#/" + view, id: "nav-" + view,
		"aria-current": view === name && "page" }, t("view." + view))));
	document.querySelectorAll("[data-language]").forEach((button) => {
		button.setAttribute("aria-pressed", String(button.dataset.language === language()));
	});
}

function render() {
	current.abort();
	hush();
	current = new AbortController();
	const { name, asked } = address();
	navigation(name);
	document.title = t("view." + name) + " · Idempotent";
	show(document.getElementById("main"), h("h1", { id: "title", tabindex: -1 }, t("view." + name)),
		VIEWS[name](current.signal, asked));
}

function describeNode() {
	get("idempotent").then((description) => {
		show(document.getElementById("node"), h("span", {}, description.namespace), h("span", {}, description.node),
			h("span", {}, description.store));
	}).catch(() => show(document.getElementById("node")));
}

document.querySelectorAll("[data-language]").forEach((button) => button.addEventListener("click", async () => {
	await chooseLanguage(button.dataset.language);
	render();
}));
document.querySelector(".skip").addEventListener("click", (event) => {
	event.preventDefault();
	document.getElementById("main").focus();
});
window.addEventListener("hashchange", () => {
	render();
	document.getElementById("title").focus({ preventScroll: true });
	window.scrollTo(0, 0);
});

await loadTexts();
render();
describeNode();
