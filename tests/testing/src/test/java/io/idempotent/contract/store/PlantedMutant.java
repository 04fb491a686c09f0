package io.idempotent.contract.store;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

import io.idempotent.store.ClaimId;
import io.idempotent.store.ClaimRequest;
import io.idempotent.store.ClaimRequest.Lapsed;
import io.idempotent.store.ClaimResult;
import io.idempotent.store.ClaimResult.Granted;
import io.idempotent.store.Fingerprint;
import io.idempotent.store.IdempotencyStore;
import io.idempotent.store.IdempotencyStore.Ownership;
import io.idempotent.store.IdempotencyStore.Release;
import io.idempotent.store.KeyPrefix;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Outcome;
import io.idempotent.store.Owner;
import io.idempotent.store.RecordAdministration;
import io.idempotent.store.RecordAdministration.SettlementResult;
import io.idempotent.store.RecordSnapshot;
import io.idempotent.store.RecordState;
import io.idempotent.store.Settlement;
import io.idempotent.store.Settlement.Kind;
import io.idempotent.store.local.LocalIdempotencyStore;

/**
 * A defect of a store, or of what operators need of it, and tests of the contract that
 * must see it.
 */
enum PlantedMutant {

	CHECK_THEN_SET("oneOfManyIsGranted") {
		@Override
		ClaimResult claim(Planted planted, ClaimRequest request) {
			if (planted.granted.containsKey(request.key())) {
				return super.claim(planted, request);
			}
			LockSupport.parkNanos(200_000);
			planted.releaseWhoeverHolds(request.key());
			return super.claim(planted, request);
		}
	},

	RELEASE_WITHOUT_OWNER("onlyTheOwnerReleases", "aBurntKeyIsReleasedByItsOwnerOnly",
			"anOwnerLosesItsClaimToATakeover", "noInterleavingRunsAnOperationTwice") {
		@Override
		Ownership release(Planted planted, ClaimId claim, Release release) {
			return super.release(planted, planted.holder(claim), release);
		}
	},

	COMPLETE_WITHOUT_OWNER("onlyTheOwnerCompletes", "anOwnerLosesItsClaimToATakeover",
			"aLostClaimThatAnotherOwnerHasIsLost", "noInterleavingRunsAnOperationTwice") {
		@Override
		Ownership complete(Planted planted, ClaimId claim, Outcome outcome, Duration retention) {
			return super.complete(planted, planted.holder(claim), outcome, retention);
		}
	},

	RENEW_WITHOUT_OWNER("onlyTheOwnerRenews", "anOwnerLosesItsClaimToATakeover", "noInterleavingRunsAnOperationTwice") {
		@Override
		Ownership renew(Planted planted, ClaimId claim, Duration lease) {
			return super.renew(planted, planted.holder(claim), lease);
		}
	},

	NO_READ_BACK("aRepeatedClaimIsTheSameClaim", "aBurntKeyIsATombstoneFromTheClaimOn",
			"noInterleavingRunsAnOperationTwice") {
		@Override
		ClaimResult claim(Planted planted, ClaimRequest request) {
			ClaimId held = planted.granted.get(request.key());
			boolean again = held != null && held.owner().equals(request.owner());
			return super.claim(planted, again ? Planted.by(Owner.draw(planted.random), request) : request);
		}
	},

	LAPSED_IS_ABSENT("aLapsedClaimIsTakenOver", "aLapsedClaimThatIsLeftIsUnknown",
			"aClaimGivenUpAsUnknownIsUnknownAtOnce") {
		@Override
		ClaimResult claim(Planted planted, ClaimRequest request) {
			ClaimResult result = super.claim(planted, Planted.takingOver(request));
			return (result instanceof Granted grant) ? new Granted(grant.attempt(), false) : result;
		}
	},

	FINGERPRINT_UNCHECKED_ON_COMPLETED("otherContentNeverMeetsACompletedOutcome") {
		@Override
		ClaimResult claim(Planted planted, ClaimRequest request) {
			return planted.completed.contains(request.key())
					? super.claim(planted, Planted.asking(planted.granted.get(request.key()).fingerprint(), request))
					: super.claim(planted, request);
		}
	},

	COMPLETION_NEEDS_A_RECORD("aCompletionIsRecordedEvenIfTheStoreLostTheClaim") {
		@Override
		Ownership complete(Planted planted, ClaimId claim, Outcome outcome, Duration retention) {
			return (super.renew(planted, claim, retention) == Ownership.HELD)
					? super.complete(planted, claim, outcome, retention) : Ownership.LOST;
		}
	},

	RELEASE_IS_ALWAYS_UNKNOWN("aReleasedKeyIsAsNew", "aReleasedTokenIsIssuedAgainAndKeepsItsAttempts") {
		@Override
		Ownership release(Planted planted, ClaimId claim, Release release) {
			return super.release(planted, claim, Release.UNKNOWN);
		}
	},

	ISSUE_OVERWRITES("issuingAKeyThatHasARecordChangesNothing") {
		@Override
		void issue(Planted planted, OperationKey key, Duration timeToLive) {
			planted.releaseWhoeverHolds(key);
			super.issue(planted, key, timeToLive);
		}
	},

	SETTLES_WHATEVER_IT_FINDS("onlyTheClaimThatWasSeenIsSettled") {
		@Override
		SettlementResult settle(Planted planted, Settlement s) {
			RecordSnapshot found = planted.store.inspect(s.key());
			return (found.owner() == null) ? planted.store.settle(s) : planted.store
				.settle(new Settlement(s.key(), found.owner(), found.attempt(), s.kind(), s.force(), s.by()));
		}
	},

	SETTLES_THE_LIVING("aClaimThatIsAliveIsSettledByForceOnly", "anOwnerThatRenewsIsAliveAgain") {
		@Override
		SettlementResult settle(Planted planted, Settlement s) {
			return planted.store.settle(new Settlement(s.key(), s.seen(), s.attempt(), s.kind(), true, s.by()));
		}
	},

	CONFIRMS_IN_THE_NAME_OF_THE_OWNER("anOwnerThatWasSettledHasLostItsClaim") {
		@Override
		SettlementResult settle(Planted planted, Settlement s) {
			return planted.store.settle(new Settlement(s.key(), s.seen(), s.attempt(), s.kind(), s.force(), s.seen()));
		}
	},

	RELEASES_TO_NOTHING("anOwnerThatWasSettledHasLostItsClaim", "anUnknownOperationIsReleasedAndRunsAgain") {
		@Override
		SettlementResult settle(Planted planted, Settlement s) {
			SettlementResult result = planted.store.settle(s);
			if (result == SettlementResult.SETTLED && s.kind() == Kind.RELEASE) {
				// A tombstone for a moment, and then no record.
				StoreSubmission taker = StoreSubmission.of(planted.store, s.key());
				planted.store.complete(taker.granted(), Outcome.TOMBSTONE, Duration.ZERO);
			}
			return result;
		}
	},

	CONFIRMS_FOR_A_MOMENT("anUnknownOperationIsConfirmedAndNeverRunsAgain") {
		@Override
		SettlementResult settle(Planted planted, Settlement s) {
			return planted.store.settle((s.kind() == Kind.CONFIRM)
					? new Settlement(s.key(), s.seen(), s.attempt(), Kind.RELEASE, s.force(), s.by()) : s);
		}
	},

	SHOWS_THE_LAPSED_AS_RUNNING("aClaimThatLapsedIsUnknown", "aClaimThatWasGivenUpIsUnknown") {
		@Override
		RecordSnapshot inspect(Planted planted, OperationKey key) {
			RecordSnapshot r = planted.store.inspect(key);
			return (r.state() != RecordState.UNKNOWN) ? r : new RecordSnapshot(key, RecordState.IN_PROGRESS,
					r.attempt(), r.owner(), r.origin(), r.leaseLeft(), r.retentionLeft(), null);
		}
	},

	FORGETS_ORIGINS("aClaimIsInProgressWithItsOwnerAndOrigin", "aDuplicateGetsTheOriginOfTheRun") {
		@Override
		ClaimResult claim(Planted planted, ClaimRequest request) {
			return planted.store.claim(new StoreSubmission(planted.store, request).from(null).request());
		}
	},

	LISTS_OLDEST_FIRST("unknownOutcomesAreListedNewestFirst") {
		@Override
		RecordAdministration.UnknownRecords unknown(Planted planted, int limit) {
			List<RecordSnapshot> all = new ArrayList<>(planted.store.unknown(1_000).records());
			Collections.reverse(all);
			return new RecordAdministration.UnknownRecords(all.subList(0, Math.min(limit, all.size())),
					all.size() <= limit);
		}
	};

	@SuppressWarnings("ImmutableEnumChecker")
	private final Set<String> caughtBy;

	PlantedMutant(String... caughtBy) {
		this.caughtBy = Set.of(caughtBy);
	}

	Set<String> caughtBy() {
		return this.caughtBy;
	}

	IdempotencyStore plantedIn(LocalIdempotencyStore store) {
		return new Planted(this, store);
	}

	void issue(Planted planted, OperationKey key, Duration timeToLive) {
		planted.store.issue(key, timeToLive);
	}

	ClaimResult claim(Planted planted, ClaimRequest request) {
		return planted.store.claim(request);
	}

	Ownership renew(Planted planted, ClaimId claim, Duration lease) {
		return planted.store.renew(claim, lease);
	}

	Ownership complete(Planted planted, ClaimId claim, Outcome outcome, Duration retention) {
		return planted.store.complete(claim, outcome, retention);
	}

	Ownership release(Planted planted, ClaimId claim, Release release) {
		return planted.store.release(claim, release);
	}

	RecordSnapshot inspect(Planted planted, OperationKey key) {
		return planted.store.inspect(key);
	}

	SettlementResult settle(Planted planted, Settlement settlement) {
		return planted.store.settle(settlement);
	}

	RecordAdministration.UnknownRecords unknown(Planted planted, int limit) {
		return planted.store.unknown(limit);
	}

	/**
	 * A sound store behind a defect, and what that needs to remember.
	 */
	private static final class Planted implements IdempotencyStore, RecordAdministration {

		private final SecureRandom random = new SecureRandom();

		private final Map<OperationKey, ClaimId> granted = new ConcurrentHashMap<>();

		private final Set<OperationKey> completed = ConcurrentHashMap.newKeySet();

		private final PlantedMutant mutant;

		private final LocalIdempotencyStore store;

		Planted(PlantedMutant mutant, LocalIdempotencyStore store) {
			this.mutant = mutant;
			this.store = store;
		}

		ClaimId holder(ClaimId claim) {
			return this.granted.getOrDefault(claim.key(), claim);
		}

		void releaseWhoeverHolds(OperationKey key) {
			ClaimId holder = this.granted.get(key);
			if (holder != null) {
				this.store.release(holder, Release.NO_EFFECT);
			}
		}

		static ClaimRequest by(Owner owner, ClaimRequest r) {
			return new ClaimRequest(r.key(), owner, r.fingerprint(), r.lease(), r.retention(), r.admission(),
					r.lapsed(), r.term(), r.listening());
		}

		static ClaimRequest takingOver(ClaimRequest r) {
			return new ClaimRequest(r.key(), r.owner(), r.fingerprint(), r.lease(), r.retention(), r.admission(),
					Lapsed.TAKE_OVER, r.term(), r.listening());
		}

		static ClaimRequest asking(Fingerprint fingerprint, ClaimRequest r) {
			return new ClaimRequest(r.key(), r.owner(), fingerprint, r.lease(), r.retention(), r.admission(),
					r.lapsed(), r.term(), r.listening());
		}

		@Override
		public void issue(OperationKey key, Duration timeToLive) {
			this.mutant.issue(this, key, timeToLive);
		}

		@Override
		public ClaimResult claim(ClaimRequest request) {
			ClaimResult result = this.mutant.claim(this, request);
			if (result instanceof Granted grant) {
				this.granted.put(request.key(), request.claimId(grant.attempt()));
			}
			return result;
		}

		@Override
		public Ownership renew(ClaimId claim, Duration lease) {
			return this.mutant.renew(this, claim, lease);
		}

		@Override
		public Ownership complete(ClaimId claim, Outcome outcome, Duration retention) {
			this.completed.add(claim.key());
			return this.mutant.complete(this, claim, outcome, retention);
		}

		@Override
		public Ownership release(ClaimId claim, Release release) {
			return this.mutant.release(this, claim, release);
		}

		@Override
		public RecordSnapshot inspect(OperationKey key) {
			return this.mutant.inspect(this, key);
		}

		@Override
		public FoundKeys findKeys(KeyPrefix prefix, int limit) {
			return this.store.findKeys(prefix, limit);
		}

		@Override
		public UnknownRecords unknown(int limit) {
			return this.mutant.unknown(this, limit);
		}

		@Override
		public SettlementResult settle(Settlement settlement) {
			return this.mutant.settle(this, settlement);
		}

		@Override
		public String nameOf(OperationKey key) {
			return this.store.nameOf(key);
		}

	}

}
