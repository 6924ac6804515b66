output "a" {
	value = nope
		description =	1 &
}
