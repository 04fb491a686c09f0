/**
 * The examples of docs/clients.md.
 */
@NullMarked
package com.example.shop;

import org.jspecify.annotations.NullMarked;
