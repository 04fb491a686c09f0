package io.idempotent.http

import io.idempotent.ApiIdempotent
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flowOf
import org.springframework.http.HttpStatus
import org.springframework.http.ResponseEntity
import org.springframework.web.bind.annotation.PathVariable
import org.springframework.web.bind.annotation.PostMapping
import org.springframework.web.bind.annotation.RequestBody
import org.springframework.web.bind.annotation.RequestHeader
import org.springframework.web.bind.annotation.RequestMapping
import org.springframework.web.bind.annotation.ResponseStatus
import org.springframework.web.bind.annotation.RestController
import org.springframework.web.server.ResponseStatusException

/** A parcel as Kotlin has it. */
data class Parcel(val street: String, val weight: Int, val note: String? = null)

/** Handlers in Kotlin: data classes, null and `suspend`. */
@RestController
@RequestMapping("/kotlin")
@ApiIdempotent
open class KotlinHandlers {

	@PostMapping("/data")
	open fun data(@RequestBody parcel: Parcel): Parcel = parcel.copy(weight = parcel.weight + 1)

	@PostMapping("/null")
	open fun nothing(): Parcel? = null

	@PostMapping("/unit")
	@ResponseStatus(HttpStatus.ACCEPTED)
	open fun unit() {
	}

	@PostMapping("/suspend")
	open suspend fun suspending(@RequestBody parcel: Parcel): ResponseEntity<Parcel> {
		delay(5)
		return ResponseEntity.status(HttpStatus.CREATED).header("X-Parcel", "7").body(parcel)
	}

	@PostMapping("/suspend-at-once")
	open suspend fun suspendingAtOnce(): Parcel = Parcel("Elm Street", 1)

	@PostMapping("/suspend-nothing")
	open suspend fun suspendingNothing() {
		delay(5)
	}

	@PostMapping("/suspend-by-content")
	@ApiIdempotent(key = "#sent")
	open suspend fun suspendingByContent(@RequestHeader("Idempotency-Key") sent: String, @RequestBody parcel: Parcel): Parcel {
		delay(5)
		return parcel
	}

	@PostMapping("/suspend/{id}/by-content")
	@ApiIdempotent(key = "{#id, #sent}")
	open suspend fun suspendingByTwo(@PathVariable("id") id: Int, @RequestHeader("Idempotency-Key") sent: String, @RequestBody parcel: Parcel): Parcel {
		delay(5)
		return parcel.copy(weight = id)
	}

	@PostMapping("/suspend/{id}/conditional")
	@ApiIdempotent(condition = "#id > 7")
	open suspend fun suspendingConditionally(@PathVariable("id") id: Int, @RequestBody parcel: Parcel): Parcel {
		delay(5)
		return parcel.copy(weight = id)
	}

	@PostMapping("/suspend-fails")
	open suspend fun suspendingFails(): Parcel {
		delay(5)
		throw ResponseStatusException(HttpStatus.CONFLICT, "no room")
	}

	@PostMapping("/suspend-breaks")
	open suspend fun suspendingBreaks(): Parcel {
		delay(5)
		throw IllegalStateException("broken")
	}

}

/** Many results, which are refused. */
@RestController
open class KotlinFlow {

	@PostMapping("/pay")
	@ApiIdempotent
	open fun pay(): Flow<String> = flowOf("seven")

}

/** Many results after a while, which are refused. */
@RestController
open class KotlinSuspendedFlow {

	@PostMapping("/pay")
	@ApiIdempotent
	open suspend fun pay(): Flow<String> {
		delay(5)
		return flowOf("seven")
	}

}
