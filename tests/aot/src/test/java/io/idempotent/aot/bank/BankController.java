package io.idempotent.aot.bank;

import io.idempotent.ApiIdempotent;
import io.idempotent.KeySource;
import jakarta.validation.Valid;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/**
 * One path for each way to submit a payment.
 */
@RestController
public class BankController {

	private final Ledger ledger;

	public BankController(Ledger ledger) {
		this.ledger = ledger;
	}

	@PostMapping("/by-token")
	@ApiIdempotent
	public Booking byToken(@RequestBody @Valid Payment payment) {
		return this.ledger.book(payment);
	}

	@PostMapping("/by-header")
	@ApiIdempotent(KeySource.HEADER)
	public Booking byHeader(@RequestBody @Valid Payment payment) {
		return this.ledger.book(payment);
	}

	@PostMapping("/by-content")
	@ApiIdempotent(key = "#payment.id")
	public Booking byContent(@RequestBody @Valid Payment payment) {
		return this.ledger.book(payment);
	}

	@PostMapping("/by-method")
	public Booking byMethod(@RequestBody Payment payment) {
		return this.ledger.transfer(payment);
	}

	@PostMapping("/audit")
	public boolean audit(@RequestBody Payment payment) {
		return this.ledger.audit(payment);
	}

	@GetMapping("/bookings/{payment}")
	public int bookings(@PathVariable String payment) {
		return this.ledger.countOf(payment);
	}

	@GetMapping("/receipts")
	public int receipts() {
		return this.ledger.countReceipts();
	}

}
