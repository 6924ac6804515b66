resource "1x" "a" {}
resource "a" "1x" {}
resource "a b" "c d" {}
resource "a" {}
resource {}
resource "a" "b" "c" {}
data "1x" "y z" {}
data "x" {}
ephemeral "x" {}
ephemeral "1" "2" {}
