// Submissions per second by outcome, from the meter "idempotent.submission" of this node.

import { get } from "./api.js";
import { h, show, svg, table } from "./dom.js";
import { number } from "./format.js";
import { poll } from "./live.js";
import { notice, problem } from "./notice.js";
import { named, rich, t } from "./text.js";

const METER = "idempotent.submission";
const INTERVAL = 2000;
const SAMPLES = 60;

/** The tone of each outcome that is not routine. */
const TONES = { "in-progress": "run", "key-reused": "warn", "duplicate": "warn", "rerun": "warn", "outcome-unknown": "bad",
	"unprotected": "bad", "claim-lost": "bad", "store-unavailable": "bad", "response-unavailable": "warn",
	"left-unknown": "bad", "undecided": "bad", "replay-denied": "warn", "released": "warn", "error-recorded": "warn" };

const ORDER = ["run", "replayed", "recovered", "in-progress", "duplicate"];

function rank(outcome) {
	const place = ORDER.indexOf(outcome);
	return (place < 0 ? 99 : place) + outcome;
}

async function counts() {
	const meter = await get("metrics", {}, "/" + METER);
	const outcomes = meter.availableTags.find((tag) => tag.tag === "outcome")?.values ?? [];
	const values = await Promise.all(outcomes.map(async (outcome) => {
		const part = await get("metrics", { tag: "outcome:" + outcome }, "/" + METER);
		return [outcome, part.measurements.find((measurement) => measurement.statistic === "COUNT")?.value ?? 0];
	}));
	return new Map(values);
}

function sparkline(rates) {
	const most = Math.max(...rates, 0);
	const x = (index) => 120 - (rates.length - 1 - index) * (120 / (SAMPLES - 1));
	const y = (rate) => 23 - (most > 0 ? rate / most : 0) * 21;
	const points = rates.map((rate, index) => x(index).toFixed(1) + "," + y(rate).toFixed(1)).join(" ");
	return svg("svg", { class: "spark", viewBox: "0 0 120 24", preserveAspectRatio: "none", role: "img",
		"aria-label": t("rates.chart", number(most, 1)) },
	svg("line", { x1: 0, x2: 120, y1: 23, y2: 23, class: "axis" }),
	rates.length > 1 && svg("polygon", { points: `${x(0).toFixed(1)},23 ${points} 120,23` }),
	rates.length > 1 && svg("polyline", { points }));
}

class History {

	rates = new Map();

	totals = new Map();

	at = undefined;

	/** Adds a sample. After a pause the rate is that of the whole pause, so the curve begins anew. */
	add(totals) {
		const now = performance.now();
		const elapsed = this.at === undefined ? 0 : (now - this.at) / 1000;
		const paused = elapsed > 3 * INTERVAL / 1000;
		for (const [outcome, total] of totals) {
			const before = this.totals.get(outcome) ?? (this.at === undefined ? total : 0);
			const rates = paused ? [] : (this.rates.get(outcome) ?? []);
			if (elapsed > 0) {
				rates.push(Math.max(0, total - before) / elapsed);
			}
			this.rates.set(outcome, rates.slice(-SAMPLES));
		}
		this.totals = totals;
		this.at = now;
	}

	rows() {
		return [...this.totals.keys()].sort((a, b) => rank(a).localeCompare(rank(b))).map((outcome) => {
			const rates = this.rates.get(outcome);
			return [
				h("span", { class: "badge", "data-tone": TONES[outcome] ?? "ok" }, named("outcome.", outcome),
					h("code", {}, outcome)),
				h("span", { "data-tone": TONES[outcome] ?? "ok" }, sparkline(rates)),
				h("span", { class: "number" }, number(rates.at(-1) ?? 0, 1)),
				h("span", { class: "number" }, number(this.totals.get(outcome))),
			];
		});
	}

}

/** The section of the overview that polls the meter every two seconds. */
export function rates(signal) {
	const content = h("div", {}, h("p", { class: "muted" }, t("loading")));
	const history = new History();
	poll(async () => {
		try {
			history.add(await counts());
			show(content, table(t("rates.caption"),
				[t("rates.outcome"), t("rates.last"), t("rates.perSecond"), t("rates.total")], history.rows(), "rates"));
		}
		catch (error) {
			show(content, error.reason === "absent" ? notice("info", rich("rates.none", METER)) : problem(error));
		}
	}, INTERVAL, signal);
	return h("section", { "aria-labelledby": "rates" }, h("h2", { id: "rates" }, t("rates.title")), content);
}
