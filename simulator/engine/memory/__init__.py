"""What the loop works in: every record, and the world that holds them."""
