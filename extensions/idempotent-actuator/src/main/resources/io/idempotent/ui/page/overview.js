// The first view: live rates, and the operations with their settings.

import { get } from "./api.js";
import { h, show, table } from "./dom.js";
import { problem } from "./notice.js";
import { rates } from "./rates.js";
import { named, t } from "./text.js";

const isDefault = (setting) => setting.source === "default";

function settings(operation) {
	const all = operation.settings ?? [];
	if (all.length === 0) {
		return h("span", { class: "muted" }, t("operations.ownPolicies"));
	}
	// Where the key comes from has a column of its own.
	const own = all.filter((setting) => !isDefault(setting) && setting.name !== "source");
	return h("details", {},
		h("summary", {}, own.length === 0 ? t("operations.defaults")
			: own.map((setting) => h("code", { class: "chip" }, setting.name + " = " + setting.value))),
		table(t("operations.settingsOf", operation.name), [t("setting.name"), t("setting.value"), t("setting.source")],
			all.map((setting) => [h("code", {}, setting.name), h("code", {}, String(setting.value)),
				h("span", { class: isDefault(setting) ? "muted" : "" }, named("source.", setting.source))])));
}

export function operationsTable(operations) {
	return table(t("operations.caption"), [t("operation"), t("operations.entrance"), t("operations.settings")],
		operations.map((operation) => [
			h("code", {}, operation.name),
			[named("entrance.", operation.entrance), " · ", h("code", {}, operation.key),
				operation.expression && [" ", h("code", {}, operation.expression)],
				(operation.requests ?? []).map((request) => h("div", {}, h("code", { class: "muted" }, request)))],
			settings(operation)]));
}

function operations() {
	const content = h("div", {}, h("p", { class: "muted" }, t("loading")));
	const running = h("p", { class: "muted" });
	get("idempotent").then((description) => {
		running.textContent = t("operations.running", description.running ?? 0);
		show(content, description.operations.length === 0 ? h("p", { class: "muted" }, t("operations.none"))
			: operationsTable(description.operations));
	}).catch((error) => show(content, problem(error)));
	return h("section", { "aria-labelledby": "operations" }, h("h2", { id: "operations" }, t("operations.title")), running, content);
}

export function overview(signal) {
	return [rates(signal), operations()];
}
