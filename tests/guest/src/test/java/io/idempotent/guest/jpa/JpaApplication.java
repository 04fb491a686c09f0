package io.idempotent.guest.jpa;

import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/**
 * Has an entity and a repository.
 */
@SpringBootApplication
public class JpaApplication {

	/** A pet. */
	@Entity
	public static class Pet {

		@Id
		@GeneratedValue
		private Long id;

		private String name;

		public Long getId() {
			return this.id;
		}

		public String getName() {
			return this.name;
		}

	}

}
