nonsense {
