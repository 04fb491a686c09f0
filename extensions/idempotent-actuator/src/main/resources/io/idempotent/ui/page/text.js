// The texts of the page, in the language that the server chose by Accept-Language or the reader chose here.

import { h } from "./dom.js";

const LANGUAGES = ["en", "zh"];
const STORED = "idempotent.language";

let messages = {};

export function language() {
	return document.documentElement.lang;
}

function storedLanguage() {
	try {
		return localStorage.getItem(STORED);
	}
	catch {
		return null;
	}
}

/** Loads the texts of the language that the reader has chosen before, or else of the page as it was served. */
export async function loadTexts() {
	const stored = storedLanguage();
	await use(LANGUAGES.includes(stored) ? stored : language());
}

export async function chooseLanguage(chosen) {
	try {
		localStorage.setItem(STORED, chosen);
	}
	catch {
		// Storage is switched off in this browser: the choice lasts as long as the page.
	}
	await use(chosen);
}

async function use(chosen) {
	const response = await fetch(new URL(chosen + ".json", import.meta.url));
	messages = await response.json();
	document.documentElement.lang = chosen;
	document.querySelectorAll("[data-text]").forEach((element) => {
		element.textContent = t(element.dataset.text);
	});
}

export function has(key) {
	return key in messages;
}

/** A text, with its arguments in the places of {0}, {1} and so on. */
export function t(key, ...values) {
	return (messages[key] ?? key).replace(/\{(\d)\}/g, (_, index) => values[index] ?? "");
}

/** The same with `code` between backticks, as nodes. Arguments are never read for backticks. */
export function rich(key, ...values) {
	return (messages[key] ?? key).split("`").map((part, index) => {
		const text = part.replace(/\{(\d)\}/g, (_, place) => values[place] ?? "");
		return index % 2 === 1 ? h("code", {}, text) : text;
	});
}

/** The text of a value that an endpoint names, or the value itself. */
export function named(prefix, value) {
	return has(prefix + value) ? t(prefix + value) : value;
}
