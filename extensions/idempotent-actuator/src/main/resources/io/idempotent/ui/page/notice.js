// Says why something is not shown, and which property to set.

import { h } from "./dom.js";
import { endpoints } from "./api.js";
import { rich } from "./text.js";

export function notice(tone, ...children) {
	return h("p", { class: "notice", "data-tone": tone }, ...children);
}

/** An error of an endpoint as a sentence with the way out. */
export function problem(error) {
	if (!error.reason) {
		throw error;
	}
	const known = error.body?.operations;
	const ids = error.body?.ids;
	return notice(error.reason === "hidden" ? "info" : "bad", rich("error." + error.reason, error.endpoint, error.status ?? ""),
		error.message && error.reason !== "login" ? [" ", h("span", { lang: "en" }, error.message)] : "",
		Array.isArray(known) ? [" ", known.join(", ")] : "",
		Array.isArray(ids) ? ids.map((id) => [" ", h("a", { href: "#/find?id=" + encodeURIComponent(id) }, h("code", {}, id))]) : "");
}

/** How to switch writing on, where it is off. */
export function readOnly(endpoint) {
	return endpoints[endpoint]?.path !== undefined && !endpoints[endpoint].writable ? notice("info", rich("readonly", endpoint)) : undefined;
}
