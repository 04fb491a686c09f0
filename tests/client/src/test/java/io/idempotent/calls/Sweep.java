package io.idempotent.calls;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.idempotent.calls.Clients.Client;
import io.idempotent.calls.Cut.Direction;

/**
 * Makes a payment for each point at which a connection can be cut, and reports what went
 * wrong.
 */
final class Sweep {

	private final CuttingProxy proxy;

	private final Ledger ledger;

	private int trials;

	Sweep(CuttingProxy proxy, Ledger ledger) {
		this.proxy = proxy;
		this.ledger = ledger;
	}

	int trials() {
		return this.trials;
	}

	/**
	 * Tries every cut.
	 * @param client the client
	 * @param step every how many bytes the connection is cut; both ends are always tried
	 * @param times how many attempts of a call are cut
	 * @return what went wrong
	 */
	List<String> run(Client client, int step, int times) {
		List<String> wrong = new ArrayList<>();
		this.proxy.arm(Cut.NONE);
		check(client, Cut.NONE, wrong);
		int request = this.proxy.requestBytes();
		int response = this.proxy.responseBytes();
		Stream
			.of(Stream.of(new Cut(Direction.CONNECTION, 0, times)), cuts(Direction.REQUEST, request, step, times),
					cuts(Direction.RESPONSE, response, step, times))
			.flatMap((cuts) -> cuts)
			.forEach((cut) -> check(client, cut, wrong));
		return wrong;
	}

	private static Stream<Cut> cuts(Direction direction, int length, int step, int times) {
		return IntStream
			.concat(IntStream.iterate(0, (bytes) -> bytes < length - 1, (bytes) -> bytes + step),
					IntStream.of(length - 1, length))
			.mapToObj((bytes) -> new Cut(direction, bytes, times));
	}

	private void check(Client client, Cut cut, List<String> wrong) {
		this.trials++;
		NewPayment payment = new NewPayment(UUID.randomUUID().toString(), 100);
		this.proxy.arm(cut);
		try {
			Payment response = client.pay(payment);
			List<Payment> made = this.ledger.of(payment.reference());
			if (made.size() != 1 || !response.equals(made.get(0))) {
				wrong.add(cut + ": response " + response + ", payments " + made);
			}
		}
		catch (RuntimeException ex) {
			wrong.add(cut + ": " + ex + ", payments " + this.ledger.of(payment.reference()));
		}
		if (!cut.equals(Cut.NONE) && !this.proxy.awaitCut(cut)) {
			wrong.add(cut + ": nothing was cut");
		}
	}

}
