/**
 * Auto-configuration of idempotent tools for Spring AI and MCP servers.
 */
@NullMarked
package io.idempotent.ai.autoconfigure;

import org.jspecify.annotations.NullMarked;
