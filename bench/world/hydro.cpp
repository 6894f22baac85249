// hydro.cpp - blast wave on a mesh of hexahedra: OpenMP loops as in LULESH.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// usage: hydro EDGE STEPS      a cube of EDGE^3 elements
// Prints energy, momentum and a checksum, and fails where energy isn't kept. Sums are made of
// integers, so that they don't depend on the order in which threads add.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <omp.h>
#include <vector>

namespace {

struct Node {
  double X, Y, Z;
  double Vx, Vy, Vz;
  double Fx, Fy, Fz;
  double Mass;
};

struct Element {
  int Corner[8];
  double Energy, Pressure, Volume, Volume0;
};

struct Mesh {
  int Edge;
  std::vector<Node> Nodes;
  std::vector<Element> Elements;
  std::vector<int> First, Corner; // for each node the corners of elements that meet there
};

double volumeOf(const Mesh &M, const Element &E) {
  const Node &A = M.Nodes[E.Corner[0]], &G = M.Nodes[E.Corner[6]];
  double D = 0;
  for (int I = 0; I < 8; ++I) {
    const Node &N = M.Nodes[E.Corner[I]];
    D += std::fabs(N.X - A.X) + std::fabs(N.Y - A.Y) + std::fabs(N.Z - A.Z);
  }
  return std::fabs((G.X - A.X) * (G.Y - A.Y) * (G.Z - A.Z)) * (1 + 1e-3 * (D - 12) / (D + 12));
}

Mesh makeMesh(int Edge) {
  Mesh M;
  M.Edge = Edge;
  int N = Edge + 1;
  M.Nodes.resize(size_t(N) * N * N);
  for (int Z = 0; Z < N; ++Z)
    for (int Y = 0; Y < N; ++Y)
      for (int X = 0; X < N; ++X)
        M.Nodes[(size_t(Z) * N + Y) * N + X] = {double(X), double(Y), double(Z), 0, 0,
                                                0,         0,         0,         0, 1};
  M.Elements.resize(size_t(Edge) * Edge * Edge);
  M.First.assign(M.Nodes.size() + 1, 0);
  for (int Z = 0; Z < Edge; ++Z)
    for (int Y = 0; Y < Edge; ++Y)
      for (int X = 0; X < Edge; ++X) {
        Element &E = M.Elements[(size_t(Z) * Edge + Y) * Edge + X];
        int Base = (Z * N + Y) * N + X;
        int Offsets[8] = {0, 1, N + 1, N, N * N, N * N + 1, N * N + N + 1, N * N + N};
        for (int I = 0; I < 8; ++I) {
          E.Corner[I] = Base + Offsets[I];
          ++M.First[E.Corner[I] + 1];
        }
        E.Energy = X + Y + Z == 0 ? 1000 : 1e-3;
      }
  for (size_t I = 0; I < M.Nodes.size(); ++I)
    M.First[I + 1] += M.First[I];
  M.Corner.resize(M.First.back());
  std::vector<int> Next(M.First.begin(), M.First.end() - 1);
  for (size_t E = 0; E < M.Elements.size(); ++E)
    for (int I = 0; I < 8; ++I)
      M.Corner[Next[M.Elements[E].Corner[I]]++] = int(E) * 8 + I;
  for (Element &E : M.Elements)
    E.Volume = E.Volume0 = volumeOf(M, E);
  return M;
}

void updatePressure(Mesh &M) {
  long Count = long(M.Elements.size());
#pragma omp parallel for schedule(runtime)
  for (long I = 0; I < Count; ++I) {
    Element &E = M.Elements[I];
    double Volume = volumeOf(M, E);
    E.Energy -= E.Pressure * (Volume - E.Volume) * 0.5;
    E.Volume = Volume;
    E.Pressure = E.Energy > 0 ? 0.4 * E.Energy / (Volume > 1e-6 ? Volume : 1e-6) : 0;
    for (int Try = 0; Try < 20 && E.Pressure > 100;
         ++Try) // some elements need more work than others
      E.Pressure = 0.5 * (E.Pressure + 90);
  }
}

void gatherForces(Mesh &M) {
  static const int Sx[8] = {-1, 1, 1, -1, -1, 1, 1, -1};
  static const int Sy[8] = {-1, -1, 1, 1, -1, -1, 1, 1};
  static const int Sz[8] = {-1, -1, -1, -1, 1, 1, 1, 1};
  long Count = long(M.Nodes.size());
#pragma omp parallel for schedule(runtime)
  for (long I = 0; I < Count; ++I) {
    double Fx = 0, Fy = 0, Fz = 0;
    for (int K = M.First[I]; K < M.First[I + 1]; ++K) {
      int C = M.Corner[K];
      double P = 0.25 * M.Elements[C / 8].Pressure;
      Fx += Sx[C % 8] * P;
      Fy += Sy[C % 8] * P;
      Fz += Sz[C % 8] * P;
    }
    M.Nodes[I].Fx = Fx;
    M.Nodes[I].Fy = Fy;
    M.Nodes[I].Fz = Fz;
  }
}

int64_t moveNodes(Mesh &M, double Dt) {
  long Count = long(M.Nodes.size());
  int64_t Kinetic = 0;
#pragma omp parallel for schedule(runtime) reduction(+ : Kinetic)
  for (long I = 0; I < Count; ++I) {
    Node &N = M.Nodes[I];
    N.Vx = 0.999 * (N.Vx + Dt * N.Fx / N.Mass);
    N.Vy = 0.999 * (N.Vy + Dt * N.Fy / N.Mass);
    N.Vz = 0.999 * (N.Vz + Dt * N.Fz / N.Mass);
    N.X += Dt * N.Vx;
    N.Y += Dt * N.Vy;
    N.Z += Dt * N.Vz;
    Kinetic += llround(1e6 * 0.5 * N.Mass * (N.Vx * N.Vx + N.Vy * N.Vy + N.Vz * N.Vz));
  }
  return Kinetic;
}

} // namespace

int main(int Argc, char **Argv) {
  int Edge = Argc > 1 ? std::atoi(Argv[1]) : 20, Steps = Argc > 2 ? std::atoi(Argv[2]) : 50;
  if (Edge < 2 || Edge > 200 || Steps < 1)
    return 2;
  Mesh M = makeMesh(Edge);
  int64_t Kinetic = 0;
  for (int Step = 0; Step < Steps; ++Step) {
    updatePressure(M);
    gatherForces(M);
    Kinetic = moveNodes(M, 1e-3);
  }
  int64_t Inner = 0, Check = 0;
#pragma omp parallel for schedule(runtime) reduction(+ : Inner, Check)
  for (long I = 0; I < long(M.Elements.size()); ++I) {
    Inner += llround(1e6 * M.Elements[I].Energy);
    Check += llround(1e6 * M.Elements[I].Volume) * (I % 97 + 1);
  }
  std::printf("inner %lld kinetic %lld check %lld\n", (long long)Inner, (long long)Kinetic,
              (long long)Check);
  return Inner > 0 && Inner < 2000000000 ? 0 : 1;
}
