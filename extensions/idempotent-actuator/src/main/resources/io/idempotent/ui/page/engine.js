// The engine in force on all nodes, and the switch to another one.

import { endpoints, post } from "./api.js";
import { ask } from "./dialog.js";
import { definitions, h } from "./dom.js";
import { announce } from "./live.js";
import { readOnly } from "./notice.js";
import { t } from "./text.js";

async function change(action, engine, done) {
	const result = await ask({
		title: t(action + ".title", engine),
		subject: engine && h("code", {}, engine),
		does: t(action + ".does", engine),
		wrong: t(action + ".wrong"),
		button: t(action + ".button", engine),
		action: ({ reason }) => post("locks", { action, engine, reason }),
	});
	if (result !== undefined) {
		announce(t(action + ".done", engine), "ok");
		done();
	}
}

function buttons(status, done) {
	const disabled = !endpoints.locks.writable;
	const others = (status.engines ?? []).filter((engine) => engine !== status.engine);
	return h("p", { class: "buttons" }, others.map((engine) => h("button", { type: "button", id: "switch-" + engine, disabled,
		onclick: () => change("switch", engine, done) }, t("switch.open", engine))),
	status.switch && h("button", { type: "button", id: "cancel-switch", disabled,
		onclick: () => change("cancel-switch", undefined, done) }, t("cancel-switch.open")));
}

export function engineSection(status, done) {
	return h("section", { "aria-labelledby": "engine-title" }, h("h2", { id: "engine-title" }, t("engine.title")),
		definitions([[t("lock.engine"), h("strong", {}, status.engine)], [t("engine.epoch"), status.epoch],
			[t("engine.target"), status.switch && h("span", { class: "badge", "data-tone": "warn" }, status.switch.target)],
			[t("engine.waitingFor"), status.switch?.waitingFor.map((node) => h("div", {}, h("code", {}, node)))]]),
		buttons(status, done), readOnly("locks"));
}
