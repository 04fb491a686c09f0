/**
 * An MCP server whose tools are idempotent, and agents that call them over HTTP.
 */
@NullMarked
package io.idempotent.agents;

import org.jspecify.annotations.NullMarked;
