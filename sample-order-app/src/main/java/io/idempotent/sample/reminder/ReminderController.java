package io.idempotent.sample.reminder;

import java.net.URI;

import jakarta.validation.Valid;

import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping("/reminders")
class ReminderController {

	private final ReminderService reminders;

	ReminderController(ReminderService reminders) {
		this.reminders = reminders;
	}

	@PostMapping
	ResponseEntity<ReminderStatus> add(@RequestBody @Valid NewReminder reminder) {
		ReminderStatus added = this.reminders.add(reminder);
		return ResponseEntity.created(URI.create("/reminders/" + added.id())).body(added);
	}

	@GetMapping("/{id}")
	ReminderStatus status(@PathVariable long id) {
		return this.reminders.status(id);
	}

}
