// Endpoints that HTTP does not define as idempotent: which are protected, and which ran the same request twice.

import { get } from "./api.js";
import { h, show, table } from "./dom.js";
import { duration, number, time } from "./format.js";
import { poll } from "./live.js";
import { problem } from "./notice.js";
import { t } from "./text.js";

const ENDPOINT = "idempotentdetector";
const INTERVAL = 5000;

function protection(endpoint) {
	const [tone, text] = endpoint.idempotent ? ["ok", "protected"] : endpoint.repeated > 0 ? ["bad", "unprotected"] : ["warn", "unprotected"];
	return h("span", { class: "badge", "data-tone": tone }, t("detector." + text));
}

function count(value) {
	return h("span", { class: "number" }, number(value));
}

function rows(endpoints) {
	return endpoints.map((endpoint) => [
		[h("code", {}, endpoint.method, " ", endpoint.uri), h("div", { class: "muted" }, endpoint.handler)],
		protection(endpoint), count(endpoint.requests), count(endpoint.repeated), count(endpoint.unjudged), time(endpoint.lastRepeat)]);
}

function content({ since, sampling, window, endpoints }) {
	return [h("p", {}, t("detector.what", duration(window).textContent)),
		h("p", { class: "muted" }, t("detector.sampling", number(sampling * 100, sampling < 0.1 ? 2 : 0)), " ", time(since)),
		endpoints.length === 0 ? h("p", { class: "empty" }, t("detector.none"))
			: table(t("detector.caption"), [t("detector.endpoint"), t("detector.protection"), t("detector.requests"),
				t("detector.repeated"), t("detector.unjudged"), t("detector.last")], rows(endpoints))];
}

export function detector(signal) {
	const section = h("section", {}, h("p", { class: "muted" }, t("loading")));
	poll(async () => {
		try {
			show(section, content(await get(ENDPOINT)));
		}
		catch (error) {
			show(section, problem(error));
		}
	}, INTERVAL, signal);
	return section;
}
