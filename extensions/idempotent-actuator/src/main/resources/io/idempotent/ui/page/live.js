// What repeats while it can be seen, and what is said to screen readers.

/** Runs a task now and again after each interval, until the signal aborts. It pauses while the tab is hidden. */
export function poll(task, interval, signal) {
	let timer;
	let running = false;
	const run = async () => {
		clearTimeout(timer);
		if (running || signal.aborted || document.hidden) {
			return;
		}
		running = true;
		try {
			await task();
		}
		finally {
			running = false;
		}
		if (!signal.aborted) {
			timer = setTimeout(run, interval);
		}
	};
	document.addEventListener("visibilitychange", run, { signal });
	signal.addEventListener("abort", () => clearTimeout(timer));
	return run();
}

let fading;

/** Takes the sentence away, as when another view is shown. */
export function hush() {
	document.getElementById("status").textContent = "";
}

/** Shows a sentence at the top of the page for some seconds; screen readers speak it. */
export function announce(text, tone = "") {
	const status = document.getElementById("status");
	status.textContent = text;
	status.dataset.tone = tone;
	clearTimeout(fading);
	fading = setTimeout(hush, 12_000);
}
