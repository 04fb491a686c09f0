// Times, durations and numbers for readers.

import { h } from "./dom.js";
import { language, t } from "./text.js";

const ISO = /^(-)?P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/;

/** The seconds of an ISO-8601 duration such as PT1H2M3.4S. */
export function seconds(duration) {
	const parts = ISO.exec(duration);
	if (!parts) {
		return NaN;
	}
	const [, minus, days, hours, minutes, rest] = parts;
	const sum = (+(days ?? 0)) * 86400 + (+(hours ?? 0)) * 3600 + (+(minutes ?? 0)) * 60 + (+(rest ?? 0));
	return minus ? -sum : sum;
}

/** The two largest units of a number of seconds. */
export function period(total) {
	if (total < 1) {
		return t("unit.ms", Math.round(total * 1000));
	}
	const units = [["d", 86400], ["h", 3600], ["min", 60], ["s", 1]];
	const first = units.findIndex(([, size]) => total >= size);
	const [name, size] = units[first];
	const parts = [t("unit." + name, Math.floor(total / size))];
	if (first + 1 < units.length) {
		const [next, nextSize] = units[first + 1];
		const rest = Math.floor((total % size) / nextSize);
		if (rest > 0) {
			parts.push(t("unit." + next, rest));
		}
	}
	return parts.join(" ");
}

/** An ISO-8601 duration, readable, with the original as its tooltip. */
export function duration(value) {
	if (value === undefined || value === null) {
		return undefined;
	}
	const total = seconds(value);
	return h("span", { class: "number", title: value }, Number.isNaN(total) ? value : (total < 0 ? "−" : "") + period(Math.abs(total)));
}

/** An ISO instant as date and time of the reader, with how long ago. */
export function time(value) {
	if (!value) {
		return undefined;
	}
	const instant = new Date(value);
	if (Number.isNaN(instant.getTime())) {
		return value;
	}
	const age = (Date.now() - instant.getTime()) / 1000;
	const day = new Intl.DateTimeFormat(language(), age > 43200 ? { dateStyle: "medium", timeStyle: "medium" } : { timeStyle: "medium" });
	return h("time", { datetime: value, title: value, class: "number" }, day.format(instant),
		age >= 1 && h("span", { class: "muted" }, " · " + t("ago", period(age))));
}

export function number(value, digits = 0) {
	return new Intl.NumberFormat(language(), { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value);
}

/** The first 12 characters of an operation's id, as logs and spans have them. */
export function hash(id) {
	return id.slice(0, 12);
}
