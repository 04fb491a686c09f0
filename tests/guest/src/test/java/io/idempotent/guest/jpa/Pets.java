package io.idempotent.guest.jpa;

import io.idempotent.guest.jpa.JpaApplication.Pet;

import org.springframework.data.jpa.repository.JpaRepository;

/** Not nested, since Spring Data finds no nested repositories. */
interface Pets extends JpaRepository<Pet, Long> {

}
