package io.idempotent.client;

import java.net.URI;
import java.time.Duration;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a client knows of the times for which peers remember keys.
 */
class AnnouncedTimesTests {

	private final AnnouncedTimes times = new AnnouncedTimes();

	private void note(String address, HttpStatus status, String seconds) {
		HttpHeaders headers = new HttpHeaders();
		headers.set("Idempotency-TTL", seconds);
		this.times.note(HttpMethod.POST, URI.create(address), status, headers);
	}

	private @Nullable Long of(String address) {
		Duration known = this.times.of(HttpMethod.POST, URI.create(address));
		return (known != null) ? known.toSeconds() : null;
	}

	@Test
	void theShortestTimeOfAnOperationCounts() {
		note("http://a/payments", HttpStatus.CREATED, "60");
		note("http://a/payments", HttpStatus.CREATED, "50");
		note("http://a/payments", HttpStatus.CREATED, "70");
		note("http://a/clicks", HttpStatus.SEE_OTHER, "5");
		assertThat(of("http://a/payments?page=2")).isEqualTo(50);
		assertThat(of("http://a/clicks")).isEqualTo(5);
		assertThat(this.times.of(HttpMethod.PATCH, URI.create("http://a/payments"))).isEqualTo(Duration.ofSeconds(5));
	}

	@Test
	void anotherPathOfTheHostHasItsShortestTime() {
		note("http://ann:secret@a/orders/1/payments", HttpStatus.CREATED, "60");
		assertThat(of("http://a/orders/2/payments")).isEqualTo(60);
		assertThat(of("http://a:81/orders/2/payments")).isNull();
		assertThat(of("http://b/orders/2/payments")).isNull();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "-1", "soon", "1.5", "9999999999", "PT1S", "1e3" })
	void anythingButANumberOfSecondsIsIgnored(String value) {
		note("http://a/payments", HttpStatus.CREATED, value);
		assertThat(of("http://a/payments")).isNull();
	}

	@Test
	void zeroIsATime() {
		note("http://a/payments", HttpStatus.CREATED, " 0, 60");
		assertThat(of("http://a/payments")).isZero();
	}

	@Test
	void aRefusalAnnouncesWhatIsLeftOfItsKey() {
		note("http://a/payments", HttpStatus.CONFLICT, "5");
		assertThat(of("http://a/payments")).isNull();
	}

	@Test
	void theLeastRecentlyUsedAddressesAreForgotten() {
		note("http://b/payments", HttpStatus.CREATED, "60");
		for (int i = 0; i < 10_000; i++) {
			note("http://a/orders/" + i, HttpStatus.CREATED, (i == 0) ? "60" : "70");
		}
		note("http://a/" + "a".repeat(2_000), HttpStatus.CREATED, "80");
		assertThat(of("http://a/orders/9999")).isEqualTo(70);
		assertThat(of("http://a/orders/0")).isEqualTo(60);
		assertThat(of("http://a/" + "a".repeat(2_000))).isEqualTo(60);
		assertThat(of("http://b/payments")).isNull();
	}

}
