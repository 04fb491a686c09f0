package io.idempotent.contract.store;

import java.security.SecureRandom;
import java.time.Duration;
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
import io.idempotent.store.OperationKey;
import io.idempotent.store.Outcome;
import io.idempotent.store.Owner;

/**
 * Stores with one defect each, planted in front of a sound one.
 */
final class PlantedMutants {

	private PlantedMutants() {
	}

	/**
	 * A defect, and tests of the contract that must see it.
	 */
	enum Mutant {

		CHECK_THEN_SET("oneOfManyIsGranted") {
			@Override
			IdempotencyStore plantedIn(IdempotencyStore store) {
				return new Planted(store) {
					@Override
					public ClaimResult claim(ClaimRequest request) {
						if (this.granted.containsKey(request.key())) {
							return super.claim(request);
						}
						LockSupport.parkNanos(200_000);
						releaseWhoeverHolds(request.key());
						return super.claim(request);
					}
				};
			}
		},

		RELEASE_WITHOUT_OWNER("onlyTheOwnerReleases", "aBurntKeyIsReleasedByItsOwnerOnly",
				"anOwnerLosesItsClaimToATakeover", "noInterleavingRunsAnOperationTwice") {
			@Override
			IdempotencyStore plantedIn(IdempotencyStore store) {
				return new Planted(store) {
					@Override
					public Ownership release(ClaimId claim, Release release) {
						return super.release(holder(claim), release);
					}
				};
			}
		},

		COMPLETE_WITHOUT_OWNER("onlyTheOwnerCompletes", "anOwnerLosesItsClaimToATakeover",
				"aLostClaimThatAnotherOwnerHasIsLost", "noInterleavingRunsAnOperationTwice") {
			@Override
			IdempotencyStore plantedIn(IdempotencyStore store) {
				return new Planted(store) {
					@Override
					public Ownership complete(ClaimId claim, Outcome outcome, Duration retention) {
						return super.complete(holder(claim), outcome, retention);
					}
				};
			}
		},

		RENEW_WITHOUT_OWNER("onlyTheOwnerRenews", "anOwnerLosesItsClaimToATakeover",
				"noInterleavingRunsAnOperationTwice") {
			@Override
			IdempotencyStore plantedIn(IdempotencyStore store) {
				return new Planted(store) {
					@Override
					public Ownership renew(ClaimId claim, Duration lease) {
						return super.renew(holder(claim), lease);
					}
				};
			}
		},

		NO_READ_BACK("aRepeatedClaimIsTheSameClaim", "aBurntKeyIsATombstoneFromTheClaimOn",
				"noInterleavingRunsAnOperationTwice") {
			@Override
			IdempotencyStore plantedIn(IdempotencyStore store) {
				return new Planted(store) {
					@Override
					public ClaimResult claim(ClaimRequest request) {
						ClaimId held = this.granted.get(request.key());
						boolean again = held != null && held.owner().equals(request.owner());
						return super.claim(again ? by(Owner.draw(this.random), request) : request);
					}
				};
			}
		},

		LAPSED_IS_ABSENT("aLapsedClaimIsTakenOver", "aLapsedClaimThatIsLeftIsUnknown",
				"aClaimGivenUpAsUnknownIsUnknownAtOnce") {
			@Override
			IdempotencyStore plantedIn(IdempotencyStore store) {
				return new Planted(store) {
					@Override
					public ClaimResult claim(ClaimRequest request) {
						ClaimResult result = super.claim(takingOver(request));
						return (result instanceof Granted grant) ? new Granted(grant.attempt(), false) : result;
					}
				};
			}
		},

		FINGERPRINT_UNCHECKED_ON_COMPLETED("otherContentNeverMeetsACompletedOutcome") {
			@Override
			IdempotencyStore plantedIn(IdempotencyStore store) {
				return new Planted(store) {
					@Override
					public ClaimResult claim(ClaimRequest request) {
						return this.completed.contains(request.key())
								? super.claim(asking(this.granted.get(request.key()).fingerprint(), request))
								: super.claim(request);
					}
				};
			}
		},

		COMPLETION_NEEDS_A_RECORD("aCompletionIsRecordedEvenIfTheStoreLostTheClaim") {
			@Override
			IdempotencyStore plantedIn(IdempotencyStore store) {
				return new Planted(store) {
					@Override
					public Ownership complete(ClaimId claim, Outcome outcome, Duration retention) {
						return (super.renew(claim, retention) == Ownership.HELD)
								? super.complete(claim, outcome, retention) : Ownership.LOST;
					}
				};
			}
		},

		RELEASE_IS_ALWAYS_UNKNOWN("aReleasedKeyIsAsNew", "aReleasedTokenIsIssuedAgainAndKeepsItsAttempts") {
			@Override
			IdempotencyStore plantedIn(IdempotencyStore store) {
				return new Planted(store) {
					@Override
					public Ownership release(ClaimId claim, Release release) {
						return super.release(claim, Release.UNKNOWN);
					}
				};
			}
		},

		ISSUE_OVERWRITES("issuingAKeyThatHasARecordChangesNothing") {
			@Override
			IdempotencyStore plantedIn(IdempotencyStore store) {
				return new Planted(store) {
					@Override
					public void issue(OperationKey key, Duration timeToLive) {
						releaseWhoeverHolds(key);
						super.issue(key, timeToLive);
					}
				};
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

		abstract IdempotencyStore plantedIn(IdempotencyStore store);

	}

	/**
	 * Does all as the sound store does, and remembers what a defect needs.
	 */
	private static class Planted implements IdempotencyStore {

		final SecureRandom random = new SecureRandom();

		final Map<OperationKey, ClaimId> granted = new ConcurrentHashMap<>();

		final Set<OperationKey> completed = ConcurrentHashMap.newKeySet();

		final IdempotencyStore store;

		Planted(IdempotencyStore store) {
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
			this.store.issue(key, timeToLive);
		}

		@Override
		public ClaimResult claim(ClaimRequest request) {
			ClaimResult result = this.store.claim(request);
			if (result instanceof Granted grant) {
				this.granted.put(request.key(), request.claimId(grant.attempt()));
			}
			return result;
		}

		@Override
		public Ownership renew(ClaimId claim, Duration lease) {
			return this.store.renew(claim, lease);
		}

		@Override
		public Ownership complete(ClaimId claim, Outcome outcome, Duration retention) {
			this.completed.add(claim.key());
			return this.store.complete(claim, outcome, retention);
		}

		@Override
		public Ownership release(ClaimId claim, Release release) {
			return this.store.release(claim, release);
		}

	}

}
