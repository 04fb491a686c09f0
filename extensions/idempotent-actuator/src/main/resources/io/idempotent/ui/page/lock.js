// Looks one lock up in its engine, and takes it from its holder by force.

import { endpoints, get, post } from "./api.js";
import { ask } from "./dialog.js";
import { definitions, h, show, table } from "./dom.js";
import { duration } from "./format.js";
import { announce } from "./live.js";
import { problem, readOnly } from "./notice.js";
import { t } from "./text.js";

async function release(lock, done) {
	const result = await ask({
		title: t("forceRelease.title"),
		subject: [h("code", {}, lock.name), " · ", lock.engine],
		does: t("forceRelease.does"),
		wrong: t("forceRelease.wrong"),
		button: t("forceRelease.button"),
		danger: true,
		action: ({ reason }) => post("locks", { action: "release", name: lock.name, engine: lock.engine, reason }),
	});
	if (result !== undefined) {
		announce(t("forceRelease.done", lock.name), "ok");
		done();
	}
}

/** A lock is neither held nor free where its engine could not be asked. */
function state(lock) {
	return lock.held === undefined ? "lock.unread" : lock.held ? "lock.held" : "lock.free";
}

function holders(lock) {
	return table(t("holders.caption"), [t("holders.node"), t("lock.mode"), t("lock.token"), t("lock.leaseLeft"), t("holders.owner")],
		lock.holders.map((holder) => [
			[holder.node ?? t("record.ownerUnknown"), holder.thisNode ? " · " + t("record.thisNode") : ""],
			holder.mode, h("span", { class: "number" }, String(holder.token ?? "")), duration(holder.leaseLeft),
			h("code", {}, holder.owner ?? "")]));
}

function lockView(lock, refresh) {
	return h("article", { class: "record" },
		h("h2", {}, h("code", {}, lock.name), " ", h("span", { class: "badge", "data-tone": lock.held ? "run" : "" }, t(state(lock)))),
		definitions([[t("lock.engine"), lock.engine], [t("lock.waiters"), lock.waiters], [t("lock.lastToken"), lock.lastToken]]),
		lock.holders?.length > 0 && holders(lock),
		lock.held && h("p", { class: "buttons" }, h("button", { type: "button", id: "force-release",
			disabled: !endpoints.locks.writable, onclick: () => release(lock, refresh) }, t("forceRelease.open"))),
		lock.held && readOnly("locks"));
}

/** The form that looks any lock up: { element, look(name, engine), engines(names) }. */
export function lookUp(asked) {
	const result = h("div", { class: "result" });
	const name = h("input", { id: "lock", name: "name", required: true, type: "text", autocomplete: "off", spellcheck: "false",
		autocapitalize: "none", value: asked.name });
	const engine = h("select", { id: "engine", name: "engine" }, h("option", { value: "" }, t("lock.inForce")));
	const look = async (lock, of) => {
		name.value = lock;
		engine.value = of ?? "";
		try {
			const found = await get("locks", { name: lock, engine: engine.value });
			show(result, lockView(found, () => look(lock, of)));
			announce(t(state(found)));
		}
		catch (error) {
			show(result, problem(error));
		}
	};
	const element = h("section", {}, h("form", { class: "card", onsubmit: (event) => {
		event.preventDefault();
		look(name.value.trim(), engine.value);
	} }, h("h2", {}, t("lock.lookUp")), h("div", { class: "fields" },
		h("p", { class: "field" }, h("label", { for: "lock" }, t("lock.name")), name),
		h("p", { class: "field" }, h("label", { for: "engine" }, t("lock.engine")), engine)),
	h("button", { type: "submit", class: "primary" }, t("find.button"))), result);
	return { element, look, engines: (names) => {
		if (engine.options.length === 1 && names.length > 0) {
			engine.append(...names.map((each) => h("option", { value: each }, each)));
		}
	} };
}
