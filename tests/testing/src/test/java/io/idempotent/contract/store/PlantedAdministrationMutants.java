package io.idempotent.contract.store;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;

import io.idempotent.store.ClaimId;
import io.idempotent.store.ClaimRequest;
import io.idempotent.store.ClaimResult;
import io.idempotent.store.IdempotencyStore;
import io.idempotent.store.IdempotencyStore.Ownership;
import io.idempotent.store.IdempotencyStore.Release;
import io.idempotent.store.KeyPrefix;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Outcome;
import io.idempotent.store.RecordAdministration;
import io.idempotent.store.RecordAdministration.SettlementResult;
import io.idempotent.store.RecordSnapshot;
import io.idempotent.store.RecordState;
import io.idempotent.store.Settlement;
import io.idempotent.store.Settlement.Kind;
import io.idempotent.store.local.LocalIdempotencyStore;

/**
 * Stores with one defect each in what operators need of them.
 */
final class PlantedAdministrationMutants {

	private PlantedAdministrationMutants() {
	}

	/**
	 * A defect, and tests of the contract that must see it.
	 */
	enum Mutant {

		SETTLES_WHATEVER_IT_FINDS("onlyTheClaimThatWasSeenIsSettled") {
			@Override
			SettlementResult settle(LocalIdempotencyStore store, Settlement s) {
				RecordSnapshot found = store.inspect(s.key());
				return (found.owner() == null) ? store.settle(s) : store
					.settle(new Settlement(s.key(), found.owner(), found.attempt(), s.kind(), s.force(), s.by()));
			}
		},

		SETTLES_THE_LIVING("aClaimThatIsAliveIsSettledByForceOnly", "anOwnerThatRenewsIsAliveAgain") {
			@Override
			SettlementResult settle(LocalIdempotencyStore store, Settlement s) {
				return store.settle(new Settlement(s.key(), s.seen(), s.attempt(), s.kind(), true, s.by()));
			}
		},

		CONFIRMS_IN_THE_NAME_OF_THE_OWNER("anOwnerThatWasSettledHasLostItsClaim") {
			@Override
			SettlementResult settle(LocalIdempotencyStore store, Settlement s) {
				return store.settle(new Settlement(s.key(), s.seen(), s.attempt(), s.kind(), s.force(), s.seen()));
			}
		},

		RELEASES_TO_NOTHING("anOwnerThatWasSettledHasLostItsClaim", "anUnknownOperationIsReleasedAndRunsAgain") {
			@Override
			SettlementResult settle(LocalIdempotencyStore store, Settlement s) {
				SettlementResult result = store.settle(s);
				if (result == SettlementResult.SETTLED && s.kind() == Kind.RELEASE) {
					// A tombstone for a moment, and then no record.
					StoreSubmission taker = StoreSubmission.of(store, s.key());
					store.complete(taker.granted(), Outcome.TOMBSTONE, Duration.ZERO);
				}
				return result;
			}
		},

		CONFIRMS_FOR_A_MOMENT("anUnknownOperationIsConfirmedAndNeverRunsAgain") {
			@Override
			SettlementResult settle(LocalIdempotencyStore store, Settlement s) {
				return store.settle((s.kind() == Kind.CONFIRM)
						? new Settlement(s.key(), s.seen(), s.attempt(), Kind.RELEASE, s.force(), s.by()) : s);
			}
		},

		SHOWS_THE_LAPSED_AS_RUNNING("aClaimThatLapsedIsUnknown", "aClaimThatWasGivenUpIsUnknown") {
			@Override
			RecordSnapshot inspect(LocalIdempotencyStore store, OperationKey key) {
				RecordSnapshot r = store.inspect(key);
				return (r.state() != RecordState.UNKNOWN) ? r : new RecordSnapshot(key, RecordState.IN_PROGRESS,
						r.attempt(), r.owner(), r.origin(), r.leaseLeft(), r.retentionLeft(), null);
			}
		},

		FORGETS_ORIGINS("aClaimIsInProgressWithItsOwnerAndOrigin", "aDuplicateGetsTheOriginOfTheRun") {
			@Override
			ClaimResult claim(LocalIdempotencyStore store, ClaimRequest request) {
				return store.claim(new StoreSubmission(store, request).from(null).request());
			}
		},

		LISTS_OLDEST_FIRST("unknownOutcomesAreListedNewestFirst") {
			@Override
			RecordAdministration.UnknownRecords unknown(LocalIdempotencyStore store, int limit) {
				List<RecordSnapshot> all = new ArrayList<>(store.unknown(1_000).records());
				Collections.reverse(all);
				return new RecordAdministration.UnknownRecords(all.subList(0, Math.min(limit, all.size())),
						all.size() <= limit);
			}
		};

		@SuppressWarnings("ImmutableEnumChecker")
		private final Set<String> caughtBy;

		Mutant(String... caughtBy) {
			this.caughtBy = Set.of(caughtBy);
		}

		Set<String> caughtBy() {
			return this.caughtBy;
		}

		IdempotencyStore plantedIn(LocalIdempotencyStore store) {
			return new Planted(this, store);
		}

		ClaimResult claim(LocalIdempotencyStore store, ClaimRequest request) {
			return store.claim(request);
		}

		RecordSnapshot inspect(LocalIdempotencyStore store, OperationKey key) {
			return store.inspect(key);
		}

		SettlementResult settle(LocalIdempotencyStore store, Settlement settlement) {
			return store.settle(settlement);
		}

		RecordAdministration.UnknownRecords unknown(LocalIdempotencyStore store, int limit) {
			return store.unknown(limit);
		}

	}

	private record Planted(Mutant mutant,
			LocalIdempotencyStore store) implements IdempotencyStore, RecordAdministration {

		@Override
		public void issue(OperationKey key, Duration timeToLive) {
			this.store.issue(key, timeToLive);
		}

		@Override
		public ClaimResult claim(ClaimRequest request) {
			return this.mutant.claim(this.store, request);
		}

		@Override
		public Ownership renew(ClaimId claim, Duration lease) {
			return this.store.renew(claim, lease);
		}

		@Override
		public Ownership complete(ClaimId claim, Outcome outcome, Duration retention) {
			return this.store.complete(claim, outcome, retention);
		}

		@Override
		public Ownership release(ClaimId claim, Release release) {
			return this.store.release(claim, release);
		}

		@Override
		public RecordSnapshot inspect(OperationKey key) {
			return this.mutant.inspect(this.store, key);
		}

		@Override
		public FoundKeys findKeys(KeyPrefix prefix, int limit) {
			return this.store.findKeys(prefix, limit);
		}

		@Override
		public UnknownRecords unknown(int limit) {
			return this.mutant.unknown(this.store, limit);
		}

		@Override
		public SettlementResult settle(Settlement settlement) {
			return this.mutant.settle(this.store, settlement);
		}

		@Override
		public String nameOf(OperationKey key) {
			return this.store.nameOf(key);
		}

	}

}
