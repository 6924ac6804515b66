run "one" {
}
run "two" {
}
