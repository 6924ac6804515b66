run "expect" {
 command = plan
 variables {
  n = "bad"
 }
 expect_failures = [var.n]
}
run "warned" {
 variables {
  n = "warn"
 }
}
run "missing" {
 expect_failures = [var.n]
}
