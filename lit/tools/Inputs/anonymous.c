// A struct without a name, two fields of which are used together and lie in two cache lines.


static struct {
  long a;
  char between[120];
  long b;
} entries[20000];

int main(int count, char **arguments) {
  (void)arguments;
  volatile long sum = 0;
  for (int k = 0; k < 100; k++)
    for (int i = 0; i < 20000; i++) {
      int j = (int)((i * 7919L) % 20000);
      sum += entries[j].a += entries[j].b += count;
    }
  return sum == 1;
}
