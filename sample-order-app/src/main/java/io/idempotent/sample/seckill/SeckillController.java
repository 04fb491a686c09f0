package io.idempotent.sample.seckill;

import io.idempotent.lock.LockLostException;
import jakarta.validation.constraints.Pattern;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

@RestController
class SeckillController {

	/** Without the full stop, which separates article and customer in the lock's name. */
	private static final String NAME = "[A-Za-z0-9_-]{1,64}";

	private final SeckillService seckill;

	SeckillController(SeckillService seckill) {
		this.seckill = seckill;
	}

	@PostMapping("/seckill/{sku}")
	@ResponseStatus(HttpStatus.CREATED)
	Purchase buy(@PathVariable @Pattern(regexp = NAME) String sku,
			@RequestParam @Pattern(regexp = NAME) String userId) {
		try {
			return this.seckill.buy(sku, userId);
		}
		catch (LockLostException ex) {
			// The unique key and the version of the stock prevent a second sale, with the
			// lock or without, so the database tells whether the sale was made.
			return this.seckill.purchase(sku, userId).orElseThrow(() -> ex);
		}
	}

	@GetMapping("/stock/{sku}")
	Stock stock(@PathVariable @Pattern(regexp = NAME) String sku) {
		return this.seckill.stock(sku);
	}

}
