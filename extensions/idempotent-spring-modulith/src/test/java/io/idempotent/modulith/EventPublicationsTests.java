package io.idempotent.modulith;

import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.mockito.ArgumentMatchers;
import org.mockito.Mockito;

import org.springframework.aop.framework.ProxyFactory;
import org.springframework.modulith.events.core.EventPublicationRegistry;
import org.springframework.modulith.events.core.PublicationTargetIdentifier;
import org.springframework.modulith.events.core.TargetEventPublication;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which publication a listener is given.
 */
class EventPublicationsTests {

	private static final PublicationTargetIdentifier STOCK = PublicationTargetIdentifier.of("stock");

	private static final PublicationTargetIdentifier MAIL = PublicationTargetIdentifier.of("mail");

	private final EventPublications publications = new EventPublications();

	@Test
	void equalEventsHavePublicationsOfTheirOwn() {
		Event first = new Event("a");
		Event second = new Event("a");
		UUID publishedFirst = publish(first, STOCK);
		UUID publishedSecond = publish(second, STOCK);
		assertThat(deliver(second, STOCK)).isEqualTo(publishedSecond);
		assertThat(deliver(first, STOCK)).isEqualTo(publishedFirst);
	}

	@Test
	void eachListenerHasAPublicationOfItsOwn() {
		Event event = new Event("a");
		UUID stock = publish(event, STOCK);
		UUID mail = publish(event, MAIL);
		assertThat(deliver(event, MAIL)).isEqualTo(mail);
		assertThat(deliver(event, STOCK)).isEqualTo(stock);
	}

	@Test
	void anEventPublishedTwiceHasTwoPublications() {
		Event event = new Event("a");
		UUID first = publish(event, STOCK);
		UUID second = publish(event, STOCK);
		assertThat(new UUID[] { deliver(event, STOCK), deliver(event, STOCK) }).containsExactlyInAnyOrder(first,
				second);
	}

	@Test
	void aDeliveryWithoutPublishingHasNoPublication() {
		Event event = new Event("a");
		publish(event, STOCK);
		deliver(event, STOCK);
		assertThat(deliver(event, MAIL)).isNull();
		assertThat(deliver(event, STOCK)).isNull();
	}

	@Test
	void aRetryOfAFailedDeliveryKeepsItsPublication() {
		Event event = new Event("a");
		UUID publication = publish(event, STOCK);
		deliver(event, STOCK);
		assertThat(deliver(event, STOCK)).isEqualTo(publication);
	}

	@Test
	void aDeliveryAfterACompletedOneHasNoPublication() {
		Event event = new Event("a");
		publish(event, STOCK);
		deliver(event, STOCK);
		this.publications.completed(event, STOCK);
		assertThat(deliver(event, STOCK)).isNull();
	}

	@Test
	void aCallWithAnotherEventHasNoPublication() {
		Event event = new Event("a");
		publish(event, STOCK);
		deliver(event, STOCK);
		assertThat(this.publications.current(new Event("a"))).isNull();
		assertThat(this.publications.current(null)).isNull();
	}

	@Test
	void whatIsNeverDeliveredIsForgotten() throws InterruptedException {
		for (int i = 0; i < 1000; i++) {
			publish(new Event("rolled back"), STOCK);
		}
		Awaitility.await().untilAsserted(() -> {
			System.gc();
			publish(new Event("next"), STOCK);
			assertThat(this.publications.size()).isLessThan(100);
		});
	}

	@Test
	void anEventThatIsAConsumerIsStoredAsItIs() {
		Consumer<Object> event = Mockito.mock();
		EventPublicationRegistry registry = Mockito.mock();
		ProxyFactory proxy = new ProxyFactory(registry);
		proxy.addAdvisor(new EventPublicationObserver(this.publications).advisor());
		((EventPublicationRegistry) proxy.getProxy()).store(event, Stream.of(STOCK));
		Mockito.verify(registry).store(ArgumentMatchers.same(event), ArgumentMatchers.any());
	}

	private UUID publish(Event event, PublicationTargetIdentifier listener) {
		TargetEventPublication publication = TargetEventPublication.of(event, listener);
		this.publications.published(publication);
		return publication.getIdentifier();
	}

	private @Nullable UUID deliver(Event event, PublicationTargetIdentifier listener) {
		this.publications.delivered(event, listener);
		return this.publications.current(event);
	}

	private record Event(String order) {
	}

}
