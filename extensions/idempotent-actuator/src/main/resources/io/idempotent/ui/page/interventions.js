// What operators have done: on this node by its endpoints, and on all by the audit events where they are exposed.

import { endpoints, get } from "./api.js";
import { h, show, table } from "./dom.js";
import { time } from "./format.js";
import { poll } from "./live.js";
import { notice, problem } from "./notice.js";
import { named, rich, t } from "./text.js";

const INTERVAL = 5000;

function subject(entry) {
	return [h("code", {}, entry.operation ?? entry.name ?? entry.engine ?? ""), " ",
		entry.hash && h("a", { href: "#/find?id=" + encodeURIComponent(entry.id ?? entry.hash) }, h("code", {}, entry.hash))];
}

function interventionsTable(entries) {
	return entries.length === 0 ? h("p", { class: "empty" }, t("interventions.none"))
		: table(t("interventions.caption"), [t("interventions.time"), t("interventions.action"), t("interventions.subject"),
			t("interventions.by"), t("interventions.reason")],
		entries.map((entry) => [time(entry.time),
			[named("action.", entry.action), entry.forced && [" ", h("span", { class: "badge", "data-tone": "warn" }, t("forced"))],
				entry.result && [" · ", named("result.", entry.result)]],
			subject(entry), entry.by ?? t("interventions.nobody"), entry.reason]));
}

async function ofThisNode() {
	const lists = await Promise.all(["idempotent", "locks"].filter((id) => endpoints[id].path !== undefined)
		.map(async (id) => (await get(id)).interventions ?? []));
	return lists.flat().sort((a, b) => b.time.localeCompare(a.time));
}

function auditEvents(events) {
	return events.length === 0 ? h("p", { class: "empty" }, t("audit.none"))
		: table(t("audit.caption"), [t("interventions.time"), t("audit.type"), t("interventions.by"), t("audit.data")],
			events.map((event) => [time(event.timestamp), h("code", {}, event.type), event.principal,
				Object.entries(event.data ?? {}).map(([name, value]) => h("span", { class: "pair" },
					h("span", { class: "muted" }, name + " "), h("code", {}, String(value)), " "))]));
}

async function audit() {
	const { events } = await get("auditevents");
	return auditEvents(events.filter((event) => event.type.toLowerCase().startsWith("idempotent"))
		.sort((a, b) => b.timestamp.localeCompare(a.timestamp)));
}

export function interventions(signal) {
	const own = h("div", {}, h("p", { class: "muted" }, t("loading")));
	const audited = h("div", {});
	poll(async () => {
		await Promise.all([
			ofThisNode().then((entries) => show(own, interventionsTable(entries))).catch((error) => show(own, problem(error))),
			endpoints.auditevents.path === undefined ? show(audited, notice("info", rich("audit.hidden")))
				: audit().then((node) => show(audited, node)).catch((error) => show(audited, problem(error))),
		]);
	}, INTERVAL, signal);
	return [h("section", {}, h("p", {}, t("interventions.what")), own),
		h("section", {}, h("h2", {}, t("audit.title")), audited)];
}
