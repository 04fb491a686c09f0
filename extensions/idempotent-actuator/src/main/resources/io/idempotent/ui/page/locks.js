// Locks: the engine in force, what this node holds and waits for, and what an engine knows of any lock.

import { get } from "./api.js";
import { h, show, table } from "./dom.js";
import { engineSection } from "./engine.js";
import { duration, time } from "./format.js";
import { poll } from "./live.js";
import { lookUp } from "./lock.js";
import { problem } from "./notice.js";
import { t } from "./text.js";

const INTERVAL = 2000;

function name(lock, look) {
	return h("button", { type: "button", class: "link", id: "held-" + lock.name, onclick: () => look(lock.name, lock.engine) },
		h("code", {}, lock.name));
}

function held(locks, look) {
	return locks.length === 0 ? h("p", { class: "empty" }, t("held.none"))
		: table(t("held.caption"), [t("lock.name"), t("lock.engine"), t("lock.mode"), t("lock.thread"), t("lock.since"),
			t("lock.leaseLeft"), t("lock.token"), t("lock.valid")],
		locks.map((lock) => [name(lock, look), lock.engine, lock.mode, lock.thread, time(lock.since), duration(lock.leaseLeft),
			h("span", { class: "number" }, String(lock.token ?? "")),
			h("span", { class: "badge", "data-tone": lock.valid === false ? "bad" : "ok" }, t(lock.valid === false ? "lost" : "valid"))]));
}

function waiting(locks, look) {
	return locks.length === 0 ? h("p", { class: "empty" }, t("waiting.none"))
		: table(t("waiting.caption"), [t("lock.name"), t("lock.engine"), t("lock.mode"), t("lock.thread"), t("lock.since")],
			locks.map((lock) => [name(lock, look), lock.engine, lock.mode, lock.thread, time(lock.since)]));
}

export function locks(signal, asked) {
	const failure = h("div", {});
	const engine = h("div", {});
	const lists = h("div", {});
	const search = lookUp(asked);
	const refresh = async () => {
		try {
			const status = await get("locks");
			search.engines(status.engines ?? []);
			show(failure);
			show(engine, engineSection(status, refresh));
			show(lists, h("h2", {}, t("held.title")), held(status.held ?? [], search.look),
				h("h2", {}, t("waiting.title")), waiting(status.waiting ?? [], search.look));
		}
		catch (error) {
			show(failure, problem(error));
		}
	};
	poll(refresh, INTERVAL, signal);
	if (asked.name) {
		search.look(asked.name, asked.engine);
	}
	return [failure, engine, search.element, lists];
}
