/** Conversations, kept in this browser only. */
import { kept } from './settings.js';

/** Conversations that are kept; the oldest give way. */
const MOST = 50;

/** @returns {{ id: string, turns: object[] }[]} the newest first */
export function conversations() {
  try {
    return JSON.parse(kept.get('conversations') ?? '[]');
  } catch {
    return [];
  }
}

/** Keeps a conversation, as the newest. */
export function keep(conversation) {
  const others = conversations().filter((other) => other.id !== conversation.id);
  kept.set('conversations', JSON.stringify([conversation, ...others].slice(0, MOST)));
}

/** Forgets one conversation, or all. */
export function drop(id) {
  kept.set('conversations', id === undefined ? null : JSON.stringify(conversations().filter((other) => other.id !== id)));
}
