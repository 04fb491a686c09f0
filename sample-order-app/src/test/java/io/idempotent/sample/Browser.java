package io.idempotent.sample;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.stream.Stream;

import io.idempotent.testing.Unchecked;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.WebDriverException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.WindowType;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;
import org.openqa.selenium.remote.http.ClientConfig;
import org.openqa.selenium.support.ui.WebDriverWait;

/**
 * A Chromium without a window, if one is installed. Nothing is downloaded.
 */
final class Browser implements AutoCloseable {

	private static final Duration PATIENCE = Duration.ofMinutes(1);

	/** A browser that has lost its way answers no command at all. */
	private static final Duration GIVING_UP = Duration.ofMinutes(2);

	private static final Path IMAGES = Path.of("..", "docs", "images");

	private final ChromeDriver driver;

	private Browser(ChromeDriver driver) {
		this.driver = driver;
	}

	/**
	 * Whether Chromium and its driver are installed.
	 */
	static boolean isInstalled() {
		return find("chromium", "chromium-browser", "google-chrome") != null && find("chromedriver") != null;
	}

	static Browser start(Path profile) {
		ChromeOptions options = new ChromeOptions();
		options.setBinary(find("chromium", "chromium-browser", "google-chrome"));
		options.addArguments("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
				"--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars",
				"--disable-dev-shm-usage", "--lang=en", "--user-data-dir=" + profile);
		LoggingPreferences logs = new LoggingPreferences();
		logs.enable(LogType.BROWSER, Level.ALL);
		options.setCapability("goog:loggingPrefs", logs);
		// Each command waits for the page that is being loaded.
		options.setPageLoadTimeout(PATIENCE);
		options.setScriptTimeout(PATIENCE);
		ChromeDriverService service = new ChromeDriverService.Builder().usingDriverExecutable(find("chromedriver"))
			.usingAnyFreePort()
			.build();
		return new Browser(new ChromeDriver(service, options, ClientConfig.defaultConfig().readTimeout(GIVING_UP)));
	}

	private static File find(String... names) {
		return Stream.of(System.getenv("PATH").split(File.pathSeparator))
			.flatMap((directory) -> Stream.of(names).map((name) -> new File(directory, name)))
			.filter(File::canExecute)
			.findFirst()
			.orElse(null);
	}

	void open(String url) {
		this.driver.get(url);
	}

	/**
	 * Lets scripts of pages run or not.
	 */
	void scripts(boolean run) {
		this.driver.executeCdpCommand("Emulation.setScriptExecutionDisabled", Map.of("value", !run));
	}

	/**
	 * Delays each request and response.
	 * @param latency the time, or zero for an undelayed network
	 */
	void delayNetwork(Duration latency) {
		this.driver.executeCdpCommand("Network.enable", Map.of());
		this.driver.executeCdpCommand("Network.emulateNetworkConditions", Map.of("offline", false, "latency",
				latency.toMillis(), "downloadThroughput", -1, "uploadThroughput", -1));
	}

	/**
	 * Forgets all cookies of all hosts, as another user.
	 */
	void forgetCookies() {
		this.driver.executeCdpCommand("Network.clearBrowserCookies", Map.of());
	}

	void back() {
		this.driver.navigate().back();
	}

	void reload() {
		this.driver.navigate().refresh();
	}

	void doubleClick(String css) {
		new Actions(this.driver).doubleClick(see(css)).perform();
	}

	void openTab(String url) {
		this.driver.switchTo().newWindow(WindowType.TAB);
		open(url);
	}

	/**
	 * Ends the scripts of all pages, and closes all tabs but one.
	 */
	void leavePages() {
		while (this.driver.getWindowHandles().size() > 1) {
			closeTab();
		}
		open("about:blank");
	}

	/**
	 * Closes the tab, and goes on in the first one.
	 */
	void closeTab() {
		this.driver.close();
		this.driver.switchTo().window(this.driver.getWindowHandles().iterator().next());
	}

	String value(String css) {
		return see(css).getDomProperty("value");
	}

	String address() {
		return this.driver.getCurrentUrl();
	}

	/**
	 * Waits for an element that can be seen.
	 */
	WebElement see(String css) {
		return await("'" + css + "' in " + address(),
				(driver) -> this.driver.findElements(By.cssSelector(css))
					.stream()
					.filter(WebElement::isDisplayed)
					.findFirst()
					.orElse(null));
	}

	/**
	 * Waits for an element with a text.
	 */
	WebElement see(String css, String text) {
		return await("'" + text + "' in '" + css + "'",
				(driver) -> this.driver.findElements(By.cssSelector(css))
					.stream()
					.filter((element) -> element.isDisplayed() && element.getText().contains(text))
					.findFirst()
					.orElse(null));
	}

	void click(String css) {
		await("a click on " + css, (driver) -> {
			see(css).click();
			return true;
		});
	}

	void fill(String css, String text) {
		WebElement field = see(css);
		field.clear();
		field.sendKeys(text);
	}

	void await(String what, Supplier<Boolean> condition) {
		await(what, (driver) -> condition.get() ? true : null);
	}

	private <T> T await(String what, Function<ChromeDriver, T> condition) {
		return new WebDriverWait(this.driver, PATIENCE, Duration.ofMillis(100))
			.withMessage(() -> what + ", in the end on " + page())
			// Elements vanish with their page, which the driver reports in several ways.
			.ignoring(WebDriverException.class)
			.until((driver) -> condition.apply(this.driver));
	}

	private String page() {
		try {
			return address() + ":\n" + this.driver.getPageSource();
		}
		catch (WebDriverException ex) {
			return "a page that is not known: " + ex.getMessage();
		}
	}

	String text(String css) {
		return await("the text of " + css, (driver) -> see(css).getText());
	}

	/**
	 * Presses keys, whatever has the focus.
	 */
	void press(CharSequence... keys) {
		new Actions(this.driver).sendKeys(keys).perform();
	}

	/**
	 * Presses the tabulator until an element has the focus, and checks that the focus can
	 * be seen on the way.
	 */
	void tabTo(String css) {
		for (int i = 0; i < 60; i++) {
			if (Boolean.TRUE.equals(run("return document.activeElement.matches(arguments[0])", css))) {
				return;
			}
			press(Keys.TAB);
			if (Boolean.FALSE.equals(run(
					"const e = document.activeElement; return e === document.body || getComputedStyle(e).outlineStyle !== 'none'"))) {
				throw new AssertionError(
						"The focus cannot be seen on " + run("return document.activeElement.outerHTML"));
			}
		}
		throw new AssertionError("The tabulator never reached " + css);
	}

	Object run(String script, Object... arguments) {
		return this.driver.executeScript(script, arguments);
	}

	void size(int width, int height) {
		this.driver.executeCdpCommand("Emulation.setDeviceMetricsOverride",
				Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", width < 600));
	}

	void colours(String scheme) {
		this.driver.executeCdpCommand("Emulation.setEmulatedMedia",
				Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
	}

	/**
	 * What the browser has refused by the policy of the page, or scripts have thrown.
	 */
	List<String> complaints() {
		return this.driver.manage()
			.logs()
			.get(LogType.BROWSER)
			.getAll()
			.stream()
			.filter((entry) -> entry.getLevel().equals(Level.SEVERE))
			.map(LogEntry::getMessage)
			.filter((message) -> !message.contains("Failed to load resource"))
			.toList();
	}

	/**
	 * Takes an image for the documents, if that is asked for by
	 * {@code -Didempotent.screenshots=true}.
	 */
	void screenshot(String name) {
		if (!Boolean.getBoolean("idempotent.screenshots")) {
			return;
		}
		Unchecked.run(() -> {
			Files.createDirectories(IMAGES);
			Files.write(IMAGES.resolve(name + ".png"), this.driver.getScreenshotAs(OutputType.BYTES));
		});
	}

	@Override
	public void close() {
		this.driver.quit();
	}

}
