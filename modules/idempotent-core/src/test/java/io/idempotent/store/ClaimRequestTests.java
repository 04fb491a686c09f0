package io.idempotent.store;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.idempotent.support.Digest;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class ClaimRequestTests {

	private static ClaimRequest request(Duration lease, Duration retention) {
		return request(lease, retention, ClaimRequest.Term.LEASED);
	}

	private static ClaimRequest request(Duration lease, Duration retention, ClaimRequest.Term term) {
		return new ClaimRequest(OperationKey.of("test", "operation", List.of(), "1"), new Owner(1, 2),
				new Fingerprint(Digest.sha256().build()), lease, retention, ClaimRequest.Admission.ISSUED,
				ClaimRequest.Lapsed.LEAVE, term, false);
	}

	@Test
	void aBurntKeyHasNoLeaseThatItsRecordMustOutlive() {
		Duration second = Duration.ofSeconds(1);
		assertThat(request(second, second, ClaimRequest.Term.BURNT).retention()).isEqualTo(second);
	}

	@Test
	void aLeaseIsPositiveAndShorterThanTheRetention() {
		Duration second = Duration.ofSeconds(1);
		assertThat(request(second.minusNanos(1), second).retention()).isEqualTo(second);
		assertThatIllegalArgumentException().isThrownBy(() -> request(second, second))
			.withMessageContaining("shorter than the retention (1s)");
		assertThatIllegalArgumentException().isThrownBy(() -> request(second, second.minusNanos(1)))
			.withMessageContaining("1s")
			.withMessageContaining("999999999ns");
		assertThatIllegalArgumentException().isThrownBy(() -> request(Duration.ZERO, second));
		assertThatIllegalArgumentException().isThrownBy(() -> request(second.negated(), second));
	}

	@Test
	void listeningChangesNothingElse() {
		ClaimRequest request = request(Duration.ofSeconds(1), Duration.ofSeconds(2));
		assertThat(request.whileListening().listening()).isTrue();
		assertThat(request.whileListening()).usingRecursiveComparison().ignoringFields("listening").isEqualTo(request);
	}

	@Test
	void anOwnerIsDrawnAtRandom() {
		SecureRandom random = new SecureRandom();
		Set<Owner> owners = new HashSet<>();
		for (int i = 0; i < 1_000; i++) {
			owners.add(Owner.draw(random));
		}
		assertThat(owners).hasSize(1_000).noneMatch((owner) -> owner.high() == 0 || owner.low() == 0);
	}

	@Test
	void anOwnerIsEncodedInBigEndianOrder() {
		assertThat(new Owner(0x0102030405060708L, 0x090a0b0c0d0e0f10L).bytes()).containsExactly(1, 2, 3, 4, 5, 6, 7, 8,
				9, 10, 11, 12, 13, 14, 15, 16);
	}

	@Test
	void anOutcomeIsAValueWhoseTextHidesItsContent() {
		Outcome outcome = Outcome.stored(new byte[] { 1, 2 });
		assertThat(outcome).isEqualTo(Outcome.stored(new byte[] { 1, 2 }))
			.hasSameHashCodeAs(Outcome.stored(new byte[] { 1, 2 }))
			.isNotEqualTo(Outcome.stored(new byte[] { 1, 3 }))
			.isNotEqualTo(Outcome.TOMBSTONE)
			.hasToString("Stored[2 bytes]");
		assertThat(outcome.hashCode()).isNotEqualTo(Outcome.stored(new byte[] { 1, 3 }).hashCode());
	}

}
