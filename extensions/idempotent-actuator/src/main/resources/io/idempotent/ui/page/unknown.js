// The operations whose outcome became unknown, newest first.

import { actions } from "./actions.js";
import { get } from "./api.js";
import { h, show, table } from "./dom.js";
import { hash, time } from "./format.js";
import { poll } from "./live.js";
import { notice, problem, readOnly } from "./notice.js";
import { t } from "./text.js";

const INTERVAL = 5000;

function rows(operations, refresh) {
	return operations.map((operation) => [
		h("code", {}, operation.operation),
		h("a", { href: "#/find?id=" + encodeURIComponent(operation.id), id: "open-" + operation.id },
			h("code", {}, operation.hash ?? hash(operation.id))),
		time(operation.since),
		operation.attempt,
		operation.node,
		h("span", { lang: "en" }, operation.advice ?? ""),
		actions(operation, "UNKNOWN", refresh)]);
}

export function unknown(signal) {
	const content = h("div", {}, h("p", { class: "muted" }, t("loading")));
	const refresh = async () => {
		try {
			const list = await get("idempotent", { limit: 50 }, "/unknown");
			show(content, list.unknown.length === 0 ? h("p", { class: "empty" }, t("unknown.none"))
				: table(t("unknown.caption"), [t("operation"), t("record.hash"), t("unknown.since"), t("record.attempt"),
					t("unknown.node"), t("unknown.advice"), t("unknown.actions")], rows(list.unknown, refresh)),
			list.complete === false && notice("info", t("unknown.incomplete")), readOnly("idempotent"));
		}
		catch (error) {
			show(content, problem(error));
		}
	};
	poll(refresh, INTERVAL, signal);
	return h("section", {}, h("p", {}, t("unknown.what")), content);
}
