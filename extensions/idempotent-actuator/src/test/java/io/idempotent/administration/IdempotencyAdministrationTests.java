package io.idempotent.administration;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

import javax.crypto.spec.SecretKeySpec;

import io.idempotent.administration.InterventionResult.Done;
import io.idempotent.administration.InterventionResult.Refused;
import io.idempotent.administration.InterventionResult.RefusedBecause;
import io.idempotent.store.ClaimId;
import io.idempotent.store.ClaimRequest;
import io.idempotent.store.ClaimResult;
import io.idempotent.store.Fingerprint;
import io.idempotent.store.IdempotencyStore.Release;
import io.idempotent.store.KeyPrefix;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Origin;
import io.idempotent.store.Outcome;
import io.idempotent.store.Owner;
import io.idempotent.store.RecordEncryption;
import io.idempotent.store.RecordState;
import io.idempotent.store.StoreUnavailableException;
import io.idempotent.store.local.LocalIdempotencyStore;
import io.idempotent.submission.IdempotencyGate;
import io.idempotent.submission.receipt.Receipts;
import io.idempotent.support.Digest;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import org.springframework.security.crypto.encrypt.AesGcmBytesEncryptor;
import org.springframework.security.crypto.encrypt.BytesEncryptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.BDDMockito.willReturn;
import static org.mockito.Mockito.mock;

class IdempotencyAdministrationTests {

	private static final OperationKey KEY = OperationKey.of("shop", "Orders.place", List.of(), "1");

	private static final Owner OWNER = new Owner(3, 4);

	private static final Fingerprint CONTENT = new Fingerprint(Digest.sha256().add("content").build());

	private static final String TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

	private final StoreUnavailableException away = new StoreUnavailableException("The database is away", null);

	private final LocalIdempotencyStore store = new LocalIdempotencyStore(100);

	@AutoClose
	private final IdempotencyGate gate = new IdempotencyGate.Builder(this.store).build();

	private final Receipts receipts = mock();

	private String namespace = "shop";

	private final IdempotencyAdministration administration = new IdempotencyAdministration(this.gate, this.store,
			this.receipts, "shop", (intervention) -> {
				throw new IllegalStateException("A listener that fails");
			});

	private void leaveUnknown() {
		leaveUnknown(KEY, 1);
	}

	private void leaveUnknown(OperationKey key, int attempt) {
		ClaimRequest request = new ClaimRequest(key, OWNER, CONTENT, Duration.ofSeconds(30), Duration.ofMinutes(5),
				ClaimRequest.Admission.OPEN, ClaimRequest.Lapsed.LEAVE, ClaimRequest.Term.LEASED, false, false,
				new Origin(Origin.application(this.namespace), "Orders.place", "shop@b:2", TRACE, Instant.now()));
		assertThat(this.store.claim(request)).isInstanceOf(ClaimResult.Granted.class);
		this.store.release(request.claimId(attempt), Release.UNKNOWN);
	}

	@Test
	void aStuckOperationIsShownWithItsOrigin() {
		leaveUnknown();
		OperationRecord record = this.administration.find(KEY);
		assertThat(record.state()).isEqualTo(RecordState.UNKNOWN);
		assertThat(record.advice()).isEqualTo(Advice.CHECK);
		assertThat(record.age()).isBetween(Duration.ZERO, Duration.ofMinutes(1));
		assertThat(record.onThisNode()).isFalse();
		assertThat(record.origin()).extracting(Origin::operation, Origin::node, Origin::traceparent)
			.containsExactly("Orders.place", "shop@b:2", TRACE);
		assertThat(this.administration.unknown(10).records()).singleElement()
			.extracting(OperationRecord::key, OperationRecord::origin, OperationRecord::attempt)
			.containsExactly(KEY, record.origin(), 1);
	}

	@Test
	void anEncryptedAnswerIsShown() {
		BytesEncryptor aes = AesGcmBytesEncryptor.withSecretKey(new SecretKeySpec(new byte[16], "AES")).build();
		RecordEncryption encryption = new RecordEncryption(
				List.of(new RecordEncryption.Cipher("aes", aes::encrypt, aes::decrypt)));
		Outcome answer = Outcome.stored(new byte[] { 1, 2, 3 });
		leaveUnknown();
		this.store.complete(new ClaimId(KEY, OWNER, CONTENT, 1, null), encryption.encrypt(KEY, answer),
				Duration.ofMinutes(5));
		try (IdempotencyGate decrypting = new IdempotencyGate.Builder(this.store).encryption(encryption).build()) {
			assertThat(new IdempotencyAdministration(decrypting, this.store, null, "shop", (intervention) -> {
			}).find(KEY).outcome()).isEqualTo(answer);
		}
		assertThat(this.administration.find(KEY).outcome()).as("without the key").isEqualTo(Outcome.TOMBSTONE);
	}

	@Test
	void aReceiptRefusesAReleaseAndAllowsAConfirmation() {
		leaveUnknown();
		given(this.receipts.find(any()))
			.willReturn(Optional.of(new Receipts.Receipt(OWNER, 1, Outcome.TOMBSTONE, null, Duration.ZERO)));
		assertThat(this.administration.find(KEY).advice()).isEqualTo(Advice.CONFIRM);
		for (boolean force : new boolean[] { false, true }) {
			assertThat(((Refused) this.administration.release(KEY, "ops", "stuck", force)).reason())
				.isEqualTo(RefusedBecause.TOOK_EFFECT);
		}
		Done done = (Done) this.administration.confirm(KEY, "ops", "stuck", false);
		assertThat(done.record().state()).isEqualTo(RecordState.COMPLETED);
		assertThat(done.record().advice()).isEqualTo(Advice.DONE);
		assertThat(done.intervention().forced()).isFalse();
	}

	@Test
	void anUnreachableReceiptTableDecidesNothing() {
		leaveUnknown();
		given(this.receipts.find(any())).willThrow(this.away);
		assertThatExceptionOfType(StoreUnavailableException.class)
			.isThrownBy(() -> this.administration.release(KEY, "ops", "stuck", true));
		assertThat(this.store.inspect(KEY).state()).isEqualTo(RecordState.UNKNOWN);
		assertThat(this.administration.unknown(10).records()).singleElement()
			.satisfies((unknown) -> assertThat(unknown.advice()).isEqualTo(Advice.CHECK));
	}

	@Test
	void theListQueriesAnUnavailableDatabaseOnce() {
		leaveUnknown();
		leaveUnknown(OperationKey.of("shop", "Orders.place", List.of(), "2"), 1);
		given(this.receipts.find(any())).willThrow(this.away);
		assertThat(this.administration.unknown(10).records()).hasSize(2);
		then(this.receipts).should().find(any());
	}

	@Test
	void anInterventionSucceedsEvenIfTheRecordBecomesUnreadable() {
		leaveUnknown();
		given(this.receipts.find(any())).willReturn(Optional.empty()).willThrow(this.away);
		Done done = (Done) this.administration.release(KEY, "ops", "not booked", false);
		assertThat(done.record().state()).isEqualTo(RecordState.ISSUED);
		assertThat(done.record()).usingRecursiveComparison().ignoringFields("retentionLeft").isEqualTo(find());
		leaveUnknown(KEY, 2);
		given(this.receipts.find(any())).willReturn(Optional.empty()).willThrow(this.away);
		done = (Done) this.administration.confirm(KEY, "ops", "booked", false);
		assertThat(done.record()).usingRecursiveComparison().ignoringFields("retentionLeft", "age").isEqualTo(find());
		assertThat(this.administration.interventions()).as("though the listener fails").hasSize(2);
	}

	private OperationRecord find() {
		willReturn(Optional.empty()).given(this.receipts).find(any());
		return this.administration.find(KEY);
	}

	@Test
	void anotherApplicationInTheStoreIsNeitherShownNorSettled() {
		this.namespace = "bank";
		leaveUnknown();
		assertThat(this.administration.find(KEY).state()).isEqualTo(RecordState.ABSENT);
		assertThat(this.administration.find(new KeyPrefix(KEY.toString())).records()).isEmpty();
		assertThat(this.administration.unknown(10).records()).isEmpty();
		assertThat(((Refused) this.administration.release(KEY, "ops", "why", true)).reason())
			.isEqualTo(RefusedBecause.NOT_IN_PROGRESS);
		assertThat(this.store.inspect(KEY).state()).isEqualTo(RecordState.UNKNOWN);
	}

	@Test
	void whatNeverRanIsNotSettled() {
		assertThat(((Refused) this.administration.confirm(KEY, "ops", "why", true)).reason())
			.isEqualTo(RefusedBecause.NOT_IN_PROGRESS);
		assertThat(this.administration.find(KEY).advice()).isEqualTo(Advice.NONE);
		assertThat(this.administration.interventions()).isEmpty();
	}

	@Test
	void aReasonIsNotBlank() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.administration.release(KEY, "ops", " ", false));
	}

}
